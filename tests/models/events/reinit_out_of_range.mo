model ReinitOutOfRange
  parameter Integer j = 4;
  Real x[3](each start = 0, each fixed = true);
equation
  der(x) = {1, 2, 3};
  when time > 0.5 then
    reinit(x[j], 0);
  end when;
end ReinitOutOfRange;
// expect error R007 line 7 with a subscript in reinit is out of range
