// A table that shakes a ball off again and again: every time bounces shrink without a steady
// rhythm, the ball rides on the table, and is thrown.
// expect warning R020
// expect min gap >= -1e-5
// expect max gap <= 0.1
// solvers auto cvode dopri5 rk4
// options --stop-time 2
model Thrown
  parameter Real e = 0.3, A = 0.02, w = 30;
  Real s = A*sin(w*time) "table", vs = A*w*cos(w*time) "its speed", gap = h - s;
  Real h(start = 0.1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h - s <= 0 then
    reinit(v, vs - e*(pre(v) - vs));
  end when;
end Thrown;
