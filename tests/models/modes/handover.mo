// Three sources hand over to each other through ideal diodes with nothing between: at the instant
// of an event two of them are equal, and both diodes could conduct, for
// this instant only. The mean of the largest of three phases is 3*sqrt(3)/(2*pi).
// options --tolerance 1e-8
// solvers cvode dopri5 radau inline-radau
// expect q(1) = 3*sqrt(3)/(2*pi) ± 1e-6
// expect events = 3
// expect v(0.25) = 1 ± 1e-9
// expect v(0.5) = sin(2*pi/3) ± 1e-9
model Handover
  constant Real pi = 3.141592653589793;
  Real u[3] = {sin(2*pi*time), sin(2*pi*time - 2*pi/3), sin(2*pi*time + 2*pi/3)};
  Real s[3], i[3], v, q(start = 0, fixed = true);
  Boolean off[3];
equation
  for k in 1:3 loop
    off[k] = s[k] < 0;
    u[k] - v = if off[k] then s[k] else 0;
    i[k] = if off[k] then 0 else s[k];
  end for;
  sum(i) = v + 2;
  der(q) = v;
  annotation(experiment(StopTime = 1));
end Handover;
