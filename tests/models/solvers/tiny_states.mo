// States that are tiny throughout, without nominal values: an oscillation of 1e-6 beside a state of
// size 1. The tolerance of both follows what is seen.
// expect x(100) = 1e-6*cos(100) ± 1e-8
// expect v(100) = -1e-6*sin(100) ± 1e-8
// expect y(100) = sin(100) ± 1e-4
// solvers auto dopri5 radau
// options --stop-time 100 --tolerance 1e-6
model TinyStates
  Real x(start = 1e-6, fixed = true), v(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  der(y) = cos(time);
end TinyStates;
