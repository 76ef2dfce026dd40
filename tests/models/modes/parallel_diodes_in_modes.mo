// Parallel ideal diodes charge a capacitor, with a plan per mode. The equations leave open which of
// the diodes carries the current, and nothing else depends on that: one diode gives the same
// voltage.
// expect d(0.06) = 0 ± 1e-4
// expect d(0.1) = 0 ± 1e-4
// options --structure modes
// solvers auto dopri5 cvode ida radau esdirk
model ParallelDiodesInModes
  Real u = 10*sin(314.1592653589793*time), v(start = 0, fixed = true), w(start = 0, fixed = true);
  Real d = v - w, s[3], i[3], a;
equation
  a = u - 0.1*(i[1] + i[2]);
  a - v = if s[1] < 0 then s[1] else 0;
  i[1] = if s[1] < 0 then 0 else s[1];
  a - v = if s[2] < 0 then s[2] else 0;
  i[2] = if s[2] < 0 then 0 else s[2];
  1e-4*der(v) = i[1] + i[2] - v/100;
  u - 0.1*i[3] - w = if s[3] < 0 then s[3] else 0;
  i[3] = if s[3] < 0 then 0 else s[3];
  1e-4*der(w) = i[3] - w/100;
  annotation(experiment(StopTime = 0.1));
end ParallelDiodesInModes;
