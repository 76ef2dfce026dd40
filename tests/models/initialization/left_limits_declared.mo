// Conditions determine one of two left limits. The one with a declared start value keeps it:
// 0 = u + w - x with x = 3 and u = 7.
// expect u(0) = 7 ± 1e-9
// expect w(0) = -4 ± 1e-9
// expect x(0.9) = 3 ± 1e-9
// expect w(1) = -3 ± 1e-9
model LeftLimitsDeclared
  Real w, x, u(start = 7);
initial equation
  der(x) = 0;
  x = 3;
equation
  der(x) = u + w - x;
  when sample(1, 1) then
    w = pre(w) + 1;
    u = pre(u) - 1;
  end when;
end LeftLimitsDeclared;
