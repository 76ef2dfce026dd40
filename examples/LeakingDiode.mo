model LeakingDiode "The diode of DiodeInductor with leak resistances instead: their "
  + "cost and their error"
  parameter Real L(unit = "H") = 0.01, C(unit = "F") = 0.001, R(unit = "Ohm") = 50;
  parameter Real leak = 1e-5 "resistance while on, conductance while off";
  Real u0(unit = "V") "source";
  Real uD(unit = "V"), iD(start = 0, fixed = true, unit = "A") "diode";
  Real uC(start = 0, fixed = true, unit = "V");
  Real s "parameter along the characteristic of the diode";
  Boolean off;
equation
  u0 = 10*sin(100*3.141592653589793*time);
  off = s < 0;
  uD = s*(if off then 1 else leak);
  iD = s*(if off then leak else 1);
  L*der(iD) = u0 - uD - uC;
  C*der(uC) = iD - uC/R;
  annotation(experiment(StopTime = 0.2, Tolerance = 1e-8));
end LeakingDiode;

// The ideal diode gives 8.69557832.
// solvers cvode inline-radau
// expect uC(0.05) = 8.69557832 ± 2e-3
// expect uC(0.1) = 7.36065848 ± 2e-3
