// E5 (Enright, Hull, Lindberg 1975): a chemical pyrolysis, over thirteen decades.
// Concentrations are below 2e-3, most of them below 1e-10.
// Reference values: Mazzia and Magherini, Test Set for Initial Value Problem Solvers.
// The errors allowed are 1e-4, relative to the largest value.
// expect y[2](1e13) = 0.8867655517642120e-22 ± 1.46e-14
// expect y[3](1e13) = 0.8854814626268838e-22 ± 8.26e-16
// solvers auto
// options --stop-time 1e13 --tolerance 1e-8
model E5
  constant Real A = 7.89e-10, B = 1.1e7, C = 1.13e3, M = 1e6;
  Real y[4](start = {1.76e-3, 0, 0, 0}, each fixed = true);
equation
  der(y[1]) = -A*y[1] - B*y[1]*y[3];
  der(y[2]) = A*y[1] - M*C*y[2]*y[3];
  der(y[3]) = A*y[1] - B*y[1]*y[3] - M*C*y[2]*y[3] + C*y[4];
  der(y[4]) = B*y[1]*y[3] - C*y[4];
end E5;
