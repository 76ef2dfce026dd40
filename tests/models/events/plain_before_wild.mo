model PlainBeforeWild "In one step two relations change: one that follows the dense output, and "
  + "shortly after it one that is bounded on pieces of the step"
  constant Integer n = 40;
  parameter Real t[n] = {0.23*k + 0.0007*k^2 for k in 1:n} "when the first changes";
  parameter Real c[n] = {t[k] + 0.003 + 0.1*sin(t[k] + 0.003) for k in 1:n};
  Real x(start = 0, fixed = true);
  discrete Real first[n](each start = 0, each fixed = true), second[n](each start = 0,
    each fixed = true);
  Real late = sum(first) - sum(t) "in the end";
equation
  der(x) = 1;
  for k in 1:n loop
    when x > t[k] then
      first[k] = time;
    end when;
    when time + 0.1*sin(time) > c[k] then
      second[k] = time;
    end when;
  end for;
  annotation(experiment(StopTime = 10.5));
end PlainBeforeWild;

// solvers cvode dopri5 radau
// expect late(10.5) = 0 ± 1e-6
// expect second[7](10.5) = 0.23*7 + 0.0007*49 + 0.003 ± 1e-7
// expect events = 80
