// Without restitution the ball rests from its first impact on, until the floor falls away faster
// than it would: 3*t^2 from t = 1 on is slower, 6*t^2 from t = 2 on is not.
// expect warning R020
// expect event sqrt(2/9.81)
// expect h(0.8) = 0 ± 1e-9
// expect h(1.5) = -3*0.25 ± 1e-6
// expect h(3) = -3 - 6 - 9.81/2 ± 1e-5
// solvers auto cvode dopri5 rk4
// options --stop-time 3
model Plastic
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Real s = if time < 1 then 0 elseif time < 2 then -3*(time - 1)^2 else -3 - 6*(time - 2) - 6*(time
    - 2)^2 "floor";
  Real w = if time < 1 then 0 elseif time < 2 then -6*(time - 1) else -6 - 12*(time - 2)
    "its speed";
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= s then
    reinit(v, w);
  end when;
end Plastic;
