model BranchAfterInstant
  "A branch that begins after an instant, and has no value at the instant itself"
  // expect y(1.0) = sin(1.0) ± 1e-9
  // expect z(1.0) = sin(0.5)/0.5 ± 1e-9
  // expect w(1.0) = sin(0.75)/0.75 ± 1e-9
  // expect x(1.0) = 0.9460830703671830 ± 1e-6
  // expect n(1.0) = 1
  // expect min y >= 0.84
  // expect max z <= 1.000000001
  Real y = if time > 0 then sin(time)/time else 1;
  Real z = if time <= 0.5 then 1 else sin(time - 0.5)/(time - 0.5);
  Real t = max(0, time - 0.25);
  Real w = if t <= 0 then 1 else sin(t)/t;
  Real x(start = 0, fixed = true) "The integral sine Si(time)";
  Boolean late = time > 0.5;
  Integer n(start = 0, fixed = true);
equation
  der(x) = if time > 0 then sin(time)/time else 1;
  when late then
    n = pre(n) + (if z > 0.99 then 1 else 0);
  end when;
end BranchAfterInstant;
