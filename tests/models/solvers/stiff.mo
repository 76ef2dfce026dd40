// Eigenvalues -1 and -1e5; the solution follows cos(t) (Prothero and Robinson), with an event on
// the way.
// solvers cvode ida esdirk radau
// options --stop-time 5 --tolerance 1e-8
// expect x(5) = cos(5) ± 1e-6
// expect y(5) = exp(-5) ± 1e-6
// expect event acos(0.25) ± 1e-6
// expect event 2*pi - acos(0.25) ± 1e-6
model Stiff
  Real x(start = 1, fixed = true), y(start = 1, fixed = true);
  Boolean above = x > 0.25;
equation
  der(x) = -1e5*(x - cos(time)) - sin(time);
  der(y) = -y;
end Stiff;
