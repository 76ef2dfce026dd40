// Robertson's problem over eleven decades. y1 falls from 1 to 2e-8, y2 is never above 4e-5: their
// tolerances follow their sizes. Where y1 becomes negative by more, the solution leaves all bounds.
// Reference values: Mazzia and Magherini, Test Set for Initial Value Problem Solvers.
// expect y1(1e11) = 0.2083340149701255e-7 ± 2e-9
// expect y2(1e11) = 0.8333360770334713e-13 ± 1e-14
// expect y3(1e11) = 0.9999999791665050 ± 1e-6
// solvers auto cvode ida radau
// options --stop-time 1e11 --tolerance 1e-6
model Robertson
  Real y1(start = 1, fixed = true), y2(start = 0, fixed = true), y3(start = 0, fixed = true);
equation
  der(y1) = -0.04*y1 + 1e4*y2*y3;
  der(y2) = 0.04*y1 - 1e4*y2*y3 - 3e7*y2^2;
  der(y3) = 3e7*y2^2;
end Robertson;
