model FloatingBetweenSwitches "The node between an open switch and a blocking diode floats: the "
  + "smallest values are taken"
  parameter Real C1 = 1, C2 = 3;
  Real v1(start = 5, fixed = true), v2(start = 1, fixed = true);
  Real u "at the node between switch and diode", vS, i, vD, s;
  Boolean closed = time >= 1 and time < 2, off;
equation
  C1*der(v1) = -i - v1;
  C2*der(v2) = i;
  vS = v1 - u;
  0 = if closed then vS else i;
  vD = u - v2;
  off = s < 0;
  vD = if off then s else 0;
  i = if off then 0 else s;
  annotation(experiment(StopTime = 3, Tolerance = 1e-8));
end FloatingBetweenSwitches;

// v1 falls to 5*exp(-1) = 1.839 > v2, so that the diode conducts when the switch closes: both jump
// to (v1 + 3*v2)/4. Then v1 discharges over the
// resistor, the diode blocks at once.
// solvers cvode dopri5 inline-radau
// expect v1(1) = (5*exp(-1) + 3)/4 ± 1e-6
// expect v2(1) = (5*exp(-1) + 3)/4 ± 1e-6
// expect v2(3) = (5*exp(-1) + 3)/4 ± 1e-6
// expect v1(2.5) = (5*exp(-1) + 3)/4*exp(-1.5) ± 3e-6
