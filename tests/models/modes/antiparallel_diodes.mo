// Ideal diodes in both directions between two nodes are a short circuit. The equations leave open
// how much current circulates in them. No current is negative, and the smallest currents are those
// of one diode at a time.
// expect v(4.8) = 0 ± 1e-9
// expect i1(1.2) = 2.5*sin(2.2) ± 1e-6
// expect i2(1.2) = 0 ± 1e-9
// expect i1(4.8) = 0 ± 1e-9
// expect i2(4.8) = -2.5*sin(5.8) ± 1e-6
// expect i3(1.2) = 2.5*sin(2.2) ± 1e-6
// expect i3(4.8) = 0 ± 1e-9
// options --stop-time 6 --structure inline
model AntiparallelDiodes
  Real u = 5*sin(time + 1), v, v3, s[5];
  Real i1 = if s[1] < 0 then 0 else s[1], i2 = if s[2] < 0 then 0 else s[2];
  Real i3 = j[1] + j[2] "two diodes, and one against them";
  Real j[3] = {if s[k] < 0 then 0 else s[k] for k in 3:5};
equation
  u = 2*(i1 - i2) + v;
  v = if s[1] < 0 then s[1] else 0;
  -v = if s[2] < 0 then s[2] else 0;
  u = 2*(j[1] + j[2] - j[3]) + v3;
  v3 = if s[3] < 0 then s[3] else 0;
  v3 = if s[4] < 0 then s[4] else 0;
  -v3 = if s[5] < 0 then s[5] else 0;
end AntiparallelDiodes;
