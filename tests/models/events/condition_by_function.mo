// A when-clause waits for the result of a function of a continuous argument.
// expect n(1.0) = 1
// expect event 0.5
model condition_by_function
  function above
    input Real x;
    output Boolean y;
  algorithm
    y := x > 0.5;
  end above;
  discrete Integer n(start = 0, fixed = true);
  Boolean b = above(time);
equation
  when b then
    n = pre(n) + 1;
  end when;
end condition_by_function;
