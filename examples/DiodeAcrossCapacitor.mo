model DiodeAcrossCapacitor "An ideal diode clamps the voltage of a capacitor: while it conducts, "
  + "v is no state"
  Real v(start = -0.5, fixed = true) "at the capacitor";
  Real i "of the source", iD "through the diode";
  Real s "parameter along the characteristic of the diode";
  Boolean off;
equation
  off = s < 0;
  v = if off then s else 0;
  iD = if off then 0 else s;
  i = sin(time);
  der(v) = i - iD;
  annotation(experiment(StopTime = 6, Tolerance = 1e-8));
end DiodeAcrossCapacitor;

// solvers cvode dopri5 inline-radau inline-bdf2
// expect event pi/3 ± 1e-5
// expect event pi ± 1e-5
// expect events = 2
// expect v(0.6) = 0.5 - cos(0.6) ± 1e-6 [inline-bdf2 2e-5]
// expect v(2.4) = 0 ± 1e-9
// expect iD(2.4) = sin(2.4) ± 1e-6
// expect v(4.8) = -1 - cos(4.8) ± 1e-6 [inline-bdf2 2e-5]
