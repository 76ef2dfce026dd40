model BuckConverter "A buck converter of an ideal switch and an ideal diode: when the switch "
  + "opens, the diode turns on in the same instant"
  parameter Real E(unit = "V") = 24, L(unit = "H") = 1e-3, C(unit = "F") = 1e-4,
    R(unit = "Ohm") = 5;
  parameter Real T(unit = "s") = 1e-4 "period", d = 0.5
    "share of it during which the switch is closed";
  Real iL(start = 0, fixed = true, unit = "A"), vC(start = 0, fixed = true, unit = "V");
  Real vx(unit = "V") "voltage of the node between switch, diode and inductor";
  Real iS(unit = "A"), iD(unit = "A") "through switch and diode";
  Real s "parameter along the characteristic of the diode";
  Boolean on, off "switch closed, diode blocks";
  discrete Real t0(start = 0, fixed = true);
equation
  when sample(0, T) then
    t0 = time;
  end when;
  on = time < t0 + d*T;
  0 = if on then vx - E else iS;
  off = s < 0;
  -vx = if off then s else 0;
  iD = if off then 0 else s;
  iL = iS + iD;
  L*der(iL) = vx - vC;
  C*der(vC) = iL - vC/R;
  annotation(experiment(StopTime = 0.01, Tolerance = 1e-8));
end BuckConverter;

// In continuous conduction vC comes to d*E in the mean. While the switch is closed vx = E, else 0.
// solvers cvode dopri5 inline-radau
// expect vC(0.00998) = 12 ± 0.05
// expect vx(0.00102) = 24 ± 1e-9
// expect vx(0.00108) = 0 ± 1e-9
// expect min iL >= -1e-9
