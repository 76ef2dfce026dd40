// A when of a section waits for a left limit that the section itself renews. The section is too
// large
// to be rewritten as equations: a table of many rows is searched in it.
// expect events = 4
// expect event 0.2
// expect event 0.8
// expect y(0.1) = 0 ± 1e-9
// expect y(0.3) = 1 ± 1e-9
// expect y(0.9) = 4 ± 1e-9
model when_of_left_limit
  parameter Integer n = 9000;
  parameter Real table[n, 2] = {{0.2*i, i} for i in 1:n};
  function search
    input Real table[:, :];
    input Real t;
    output Real next;
    output Real value;
  protected
    Integer k = 1;
  algorithm
    while k < size(table, 1) and table[k, 1] <= t + 1e-9 loop
      k := k + 1;
    end while;
    next := table[k, 1];
    value := if k == 1 then 0 else table[k - 1, 2];
  end search;
  discrete Real next(start = 0, fixed = true);
  discrete Real y;
algorithm
  when {time >= pre(next), initial()} then
    (next, y) := search(table, time);
  end when;
  annotation(experiment(StopTime = 0.95));
end when_of_left_limit;
