model dense_then_rare "Ticks act until time = 2, then a long oscillation follows"
  Real x(start = 0, fixed = true), v(start = 1, fixed = true), w(start = 0, fixed = true);
  discrete Real u(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -100*x;
  der(w) = u - w;
  when sample(0, 0.01) and time < 1.995 then
    u = 1 - pre(u);
  end when;
  annotation(experiment(StopTime = 20));
end dense_then_rare;

// options --tolerance 1e-6
// solvers auto cvode dopri5
// expect x(2) = sin(20)/10 ± 1e-3
// expect x(20) = sin(200)/10 ± 1e-3
// expect u(20) = 0 ± 0
