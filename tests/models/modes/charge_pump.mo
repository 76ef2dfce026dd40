// A charge pump (Dickson) with ideal diodes. Without a load its output comes to the supply plus the
// amplitude of the clock for each stage: 5 + 3*5 = 20 V. At the start all capacitors are empty, and
// diodes between the two clock lines conduct in both directions.
// expect c[4](0.02) = 20 ± 1e-6
// options --structure single
// solvers auto
model ChargePump
  parameter Real r = 0.5 "of the supply and of each clock line";
  Real c[4](each start = 0, each fixed = true) "voltages of capacitors, the output last";
  Real a, b "potentials of the clock lines", in1;
  Real u[5], i[4], s[4], w[4] "potentials, currents and voltages of diodes";
  Boolean on(start = false, fixed = true);
equation
  when sample(0, 5e-5) then
    on = not pre(on);
  end when;
  in1 = 5 - r*i[1];
  u[1] = in1;
  u[2] = a + c[1];
  u[3] = b + c[2];
  u[4] = a + c[3];
  u[5] = c[4];
  a = (if on then 5 else 0) + r*(i[1] - i[2] + i[3] - i[4]);
  b = (if on then 0 else 5) + r*(i[2] - i[3]);
  for k in 1:4 loop
    w[k] = u[k] - u[k + 1];
    w[k] = if s[k] < 0 then s[k] else 0;
    i[k] = if s[k] < 0 then 0 else s[k];
  end for;
  1e-6*der(c[1]) = i[1] - i[2];
  1e-6*der(c[2]) = i[2] - i[3];
  1e-6*der(c[3]) = i[3] - i[4];
  1e-6*der(c[4]) = i[4];
  annotation(experiment(StopTime = 0.02));
end ChargePump;
