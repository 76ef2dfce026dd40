model SlowBuck "A buck converter at 100 kHz whose filter settles after 30,000 periods"
  parameter Real E = 24, L = 1e-3, C = 1e-3, R = 10, d = 0.4, T = 1e-5;
  Real iL(start = 0, fixed = true), v(start = 0, fixed = true), u, is, id, s;
  Boolean off(start = true, fixed = true), on;
  discrete Real t0(start = 0, fixed = true);
equation
  when sample(0, T) then
    t0 = time;
  end when;
  on = time < t0 + d*T;
  if on then
    u = E;
  else
    is = 0;
  end if;
  iL = is + id;
  off = s < 0;
  -u = if off then s else 0;
  id = if off then 0 else s;
  L*der(iL) = u - v;
  C*der(v) = iL - v/R;
  annotation(experiment(StopTime = 0.3));
end SlowBuck;
