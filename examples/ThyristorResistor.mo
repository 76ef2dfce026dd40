model ThyristorResistor "An ideal thyristor, fired at 60 degrees, into a resistor: the switch "
  + "lies in a loop, one plan serves all modes"
  parameter Real R(unit = "Ohm") = 10;
  Real u0(unit = "V"), u(unit = "V") "source, thyristor", i(unit = "A");
  Real s "parameter along the characteristic";
  Boolean off(start = true), fire;
equation
  u0 = 10*sin(100*3.141592653589793*time);
  fire = time >= 0.02/6 and time < 0.02/6 + 1e-4;
  off = s < 0 or pre(off) and not fire;
  u = if off then s else 0;
  i = if off then 0 else s;
  u0 = u + R*i;
  annotation(experiment(StopTime = 0.02, Tolerance = 1e-8));
end ThyristorResistor;

// expect event 0.02/6
// expect event 0.01
// expect i(0.003) = 0
// expect i(0.005) = 1 ± 1e-7
// expect i(0.015) = 0
// expect equations (switch)
