// An undamped oscillator that a wall turns back: x = |cos(time)|. The error of each crossing is
// passed on to all that follow. An explicit method is as accurate at events as at the ends of its
// steps, and auto takes it.
// expect x(99) = abs(cos(99)) ± 1e-5 [cvode 1e-4]
// expect v(99) = -sin(99)*cos(99)/abs(cos(99)) ± 1e-5 [cvode 1e-4]
// expect events = 32
// solvers auto dopri5 rkf45 cvode
// options --stop-time 100 --tolerance 1e-6
model ManyEvents
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  when x <= 0 then
    reinit(v, -pre(v));
  end when;
end ManyEvents;
