// A result of a function of continuous arguments has no events: no when can wait for it.
// expect error D011
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
