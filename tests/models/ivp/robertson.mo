// Robertson (1966): three chemical reactions, over eleven decades of time. If y1 becomes negative,
// the solution leaves all bounds.
// Reference values: Mazzia and Magherini, Test Set for Initial Value Problem Solvers.
// The errors allowed are 100 times the tolerance, relative to the largest value.
// expect y1(1e11) = 0.2083340149701255e-7 ± 0.0001
// expect y2(1e11) = 0.8333360770334713e-13 ± 3.65e-09
// expect y3(1e11) = 0.9999999791665050 ± 0.0001
// solvers auto
// options --stop-time 1e11 --tolerance 1e-6
model Robertson
  Real y1(start = 1, fixed = true), y2(start = 0, fixed = true), y3(start = 0, fixed = true);
equation
  der(y1) = -0.04*y1 + 1e4*y2*y3;
  der(y2) = 0.04*y1 - 1e4*y2*y3 - 3e7*y2^2;
  der(y3) = 3e7*y2^2;
end Robertson;
