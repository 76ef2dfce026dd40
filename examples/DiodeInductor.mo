model DiodeInductor "An ideal diode in series with an inductor (Inline integration, figure 3): "
  + "the diode decides whether iD is a state"
  parameter Real L(unit = "H") = 0.01, C(unit = "F") = 0.001, R(unit = "Ohm") = 50;
  Real u0(unit = "V") "source";
  Real uD(unit = "V"), iD(start = 0, fixed = true, unit = "A") "diode";
  Real uC(start = 0, fixed = true, unit = "V");
  Real s "parameter along the characteristic of the diode";
  Boolean off;
equation
  u0 = 10*sin(100*3.141592653589793*time);
  off = s < 0;
  uD = if off then s else 0;
  iD = if off then 0 else s;
  L*der(iD) = u0 - uD - uC;
  C*der(uC) = iD - uC/R;
  annotation(experiment(StopTime = 0.2, Tolerance = 1e-8));
end DiodeInductor;

// solvers cvode dopri5 inline-radau inline-bdf2
// expect event 0.0101191 ± 1e-7
// expect event 0.0428408 ± 1e-7
// expect event 0.0490111 ± 1e-7
// expect event 0.0623754 ± 1e-7
// expect uC(0.05) = 8.69557832 ± 1e-5 [inline-bdf2 1e-4]
// expect uC(0.1) = 7.36065848 ± 1e-5 [inline-bdf2 1e-4]
// expect uC(0.2) = 7.41410349 ± 1e-5 [inline-bdf2 1e-4]
// expect min iD >= -1e-7
// expect equations STRUCTURAL GUARDS
// expect equations off = 1: iD fixes the causality
