// Van der Pol's oscillator with jumps that take a millionth of its period.
// Reference values: Mazzia and Magherini, Test Set for Initial Value Problem Solvers.
// The errors allowed are 100 times the tolerance, relative to the largest value.
// expect x(2) = 0.1706167732170483e1 ± 0.0002
// expect v(2) = -0.8928097010247975 ± 0.00015
// solvers auto
// options --stop-time 2 --tolerance 1e-6
model VanDerPol
  Real x(start = 2, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  1e-6*der(v) = (1 - x^2)*v - x;
end VanDerPol;
