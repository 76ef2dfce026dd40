// An undamped oscillator over 160 periods: no method may damp it. Auto takes an explicit one, with
// a tenth of the error of backward differentiation.
// expect x(1000) = cos(1000) ± 5e-4 [cvode 1e-2]
// expect v(1000) = -sin(1000) ± 5e-4 [cvode 1e-2]
// expect E(1000) = 1 ± 1e-3 [cvode 2e-2]
// solvers auto dopri5 cvode
// options --stop-time 1000 --tolerance 1e-6
model Undamped
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), E = x^2 + v^2;
equation
  der(x) = v;
  der(v) = -x;
end Undamped;
