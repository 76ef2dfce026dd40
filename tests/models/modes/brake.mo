// A brake that holds a load, and lets go when its normal force vanishes: the stuck branch then says
// nothing about the force, and the wheel turns at once.
// expect w(0.9) = 3 ± 1e-9
// expect event 2.2
// expect w(3) = 0 ± 1e-9
// expect w(4.5) = 0 ± 1e-9
// expect w(6) = 0.5 ± 1e-6
// solvers auto cvode dopri5 inline-radau
// options --stop-time 6
model Brake
  Real w(start = 3, fixed = true), tau, s, fn, load;
equation
  2*der(w) = load - tau;
  load = if time > 4 then 1 else 0;
  fn = if time >= 1 and time < 5 then 5 else 0;
  if s > 1 then
    w = s - 1;
    tau = fn;
  elseif s < -1 then
    w = s + 1;
    tau = -fn;
  else
    w = 0;
    tau = fn*s;
  end if;
end Brake;
