// A bridge of ideal diodes feeds a coil and a resistor from an ideal source. When the source
// changes its sign, all four diodes could conduct, but only at that instant. The current is that of
// the rectified voltage.
// expect d(0.05) = 0 ± 1e-4
// expect d(0.1) = 0 ± 1e-4
// options --structure modes
// solvers auto dopri5 radau
model BridgeWithCoil
  Real u = 10*sin(314.1592653589793*time), a "of the upper rail", b "of the lower rail";
  Real i(start = 0, fixed = true), j(start = 0, fixed = true), d = i - j, s[4], v[4], c[4];
equation
  v = {u - a, -a, b - u, b};
  for k in 1:4 loop
    v[k] = if s[k] < 0 then s[k] else 0;
    c[k] = if s[k] < 0 then 0 else s[k];
  end for;
  c[1] + c[2] = i;
  c[3] + c[4] = i;
  0.05*der(i) = a - b - 5*i;
  0.05*der(j) = abs(u) - 5*j;
  annotation(experiment(StopTime = 0.1));
end BridgeWithCoil;
