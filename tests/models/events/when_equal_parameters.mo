// Clauses of two components are one system if their thresholds are parameters of the same value, in
// the declaration and by modifiers
model WhenEqualParameters
  model Part
    parameter Real limit = 0.5, k = 0.5;
    input Real t, u;
    discrete output Real y(start = 0, fixed = true);
  equation
    when t > 2*limit then
      y = k*u + 1;
    end when;
  end Part;
  Part a, b(k = 0.25);
  Part c(limit = 0.3), d(limit = e), f(limit = 1);
  parameter Real e = 0.3;
equation
  a.t = time;
  b.t = time;
  a.u = b.y;
  b.u = a.y;
  c.t = time;
  d.t = time;
  c.u = d.y;
  d.u = c.y;
  f.t = time;
  f.u = c.y;
  annotation(experiment(StopTime = 1.5));
end WhenEqualParameters;
// expect a.y(0.9) = 0
// expect a.y(1.5) = 1.5/(1 - 0.125) ± 1e-12
// expect b.y(1.5) = 1.25/(1 - 0.125) ± 1e-12
// expect c.y(0.59) = 0
// expect c.y(0.61) = 2 ± 1e-12
// expect d.y(0.61) = 2 ± 1e-12
// expect f.y(1.5) = 0
