model Thyristor "An ideal thyristor, fired at 60 degrees, into a resistor and an inductor "
  + "(Modelica report of 1999, section 5.2)"
  parameter Real L(unit = "H") = 0.02, R(unit = "Ohm") = 10;
  Real u0(unit = "V"), u(unit = "V") "source, thyristor", i(start = 0, fixed = true, unit = "A");
  Real s "parameter along the characteristic";
  Boolean off(start = true), fire;
equation
  u0 = 10*sin(100*3.141592653589793*time);
  fire = time >= 0.02/6 and time < 0.02/6 + 1e-4;
  off = s < 0 or pre(off) and not fire;
  u = if off then s else 0;
  i = if off then 0 else s;
  L*der(i) = u0 - u - R*i;
  annotation(experiment(StopTime = 0.02, Tolerance = 1e-8));
end Thyristor;

// solvers cvode dopri5 inline-radau inline-bdf2
// expect event 0.02/6
// expect event 0.01176369
// expect i(0.003) = 0
// expect i(0.005) = 0.54500186 ± 1e-7 [inline-bdf2 1e-5]
// expect i(0.008) = 0.74749204 ± 1e-7 [inline-bdf2 1e-5]
// expect i(0.015) = 0
// expect u(0.015) = 10*sin(1.5*pi) ± 1e-7
