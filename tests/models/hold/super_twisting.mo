model SuperTwisting "Second-order sliding by one relation, whose effect vanishes on its surface"
  // The relay enters x' only by sqrt(abs(x)). After a finite time x = 0 and v = 0: there
  // v' = 0 asks for the mean s = 0.3*cos(time)/1.1.
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  Real s = if x > 0 then 1 else -1;
equation
  der(x) = -1.5*sqrt(abs(x))*s + v;
  der(v) = -1.1*s + 0.3*cos(time);
end SuperTwisting;

// expect warning R019 with x > 0
// expect x(4) = 0 ± 1e-7
// expect v(4) = 0 ± 1e-7
// expect s(4) = 0.3*cos(4)/1.1 ± 1e-5
// expect x(8) = 0 ± 1e-7
// expect v(8) = 0 ± 1e-7
// options --stop-time 8 --tolerance 1e-8
// solvers auto cvode dopri5 radau
