model Simultaneous "A time event, a sample and a state event at one instant"
  Real x(start = 0, fixed = true);
  Integer a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
  Boolean p = time >= 0.5, q = x >= 0.5;
equation
  der(x) = 1;
  when {p, q} then
    a = pre(a) + 1;
  end when;
  when sample(0.5, 0.25) then
    b = pre(b) + 1;
  end when;
  when edge(p) then
    c = pre(c) + 1;
  end when;
end Simultaneous;
// solvers cvode dopri5 rk4 euler
// expect event 0.5
// expect b(1) = 3 ± 0
// expect c(1) = 1 ± 0
// expect p(0.5) = 1 ± 0
