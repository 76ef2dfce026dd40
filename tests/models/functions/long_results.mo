// A function of many values with many results: the effort does not grow with the third power of
// their number.
// options --stop-time 0.25
// expect y[1](0.25) = 3
// expect y[300](0.25) = 3*45150
model LongResults
  function sums
    input Real x[:];
    output Real y[size(x, 1)];
  protected
    Real s = 0;
  algorithm
    for i in 1:size(x, 1) loop
      s := s + x[i];
      if s > 1e9 then
        break;
      end if;
      y[i] := s;
    end for;
  end sums;
  parameter Integer n = 300;
  discrete Real x[n](each start = 0, each fixed = true), y[n];
equation
  when sample(0, 0.1) then
    for i in 1:n loop
      x[i] = pre(x[i]) + i;
    end for;
    y = sums(x);
  end when;
end LongResults;
