model Sampled "A digital PI controller on a plant of second order: 1,000,000 ticks"
  parameter Real Ts = 1e-3, k = 0.5, Ti = 1;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
  discrete Real u(start = 0, fixed = true), i(start = 0, fixed = true), e(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = u - v - x;
  when sample(0, Ts) then
    e = (if sin(0.5*time) > 0 then 1 else 0) - x;
    i = pre(i) + Ts*e;
    u = k*(e + i/Ti);
  end when;
  annotation(experiment(StopTime = 1000));
end Sampled;
