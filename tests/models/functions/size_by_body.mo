// A function that sets the size of its result; called with values that are known when the model is
// built (section 12.4.4).
// expect x[2](0) = 5
// expect n(0) = 2
// options --stop-time 1
model SizeByBody
  function positive
    input Integer x[:];
    output Integer y[:];
  algorithm
    y := fill(0, 0);
    for i in 1:size(x, 1) loop
      if x[i] > 0 then
        y := cat(1, y, {x[i]});
      end if;
    end for;
  end positive;
  parameter Integer a[:] = {-2, 1, 0, 5};
  Integer x[:] = positive(a);
  Integer n = size(x, 1);
end SizeByBody;
