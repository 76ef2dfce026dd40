// A jump at the first instant is part of the past, and arrives after the delay.
// options --tolerance 1e-8
// expect u(0.13-) = 0
// expect u(0.13) = 1
// expect x(0.4) = 1 - exp(0.13 - 0.4) ± 1e-6
model JumpAtStart
  Real x(start = 0, fixed = true), u;
  discrete Real n(start = 0, fixed = true);
equation
  when sample(0, 0.5) then
    n = pre(n) + 1;
  end when;
  u = delay(n, 0.13);
  der(x) = -x + u;
end JumpAtStart;
