// Whens in branches of an if-equation whose condition varies: a when acts if its branch is taken at
// the edge of its condition.
// expect n(0.15) = 0
// expect n(0.25) = 1
// expect n(0.65) = 1
// expect n(0.75) = 11
// expect n(0.95) = 111
// expect m(0.95) = 2
// expect x(1) = 5 + 0.2 ± 1e-6
model when_in_branches
  Boolean late = time > 0.5;
  discrete Integer n(start = 0, fixed = true);
  discrete Integer m(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
  Real y;
equation
  der(x) = 1;
  if late then
    y = 2;
    when time > 0.7 then
      n = pre(n) + 10;
    elsewhen time > 0.9 then
      n = pre(n) + 100;
    end when;
    when time > 0.8 then
      m = pre(m) + 2;
      reinit(x, 5);
    end when;
  else
    y = 1;
    when {time > 0.2, time > 0.6} then
      n = pre(n) + 1;
    end when;
    when time > 0.85 then
      m = 100;
    end when;
  end if;
end when_in_branches;
