// Relations that change and change back within a small part of a step: of time, of a state, of a
// variable computed from it, in components.
// expect events = 8
// expect event 0.61223 ± 2e-5
// expect event 0.61237 ± 2e-5
// expect n(1) = 4
// solvers high rk4 euler inline-euler inline-bdf2 inline-radau
model Glimpse
  block Bell
    input Real u;
    parameter Real c, w = 1e-4;
    Boolean seen = exp(-((u - c)/w)^2) > 0.5;
    Integer n(start = 0, fixed = true);
  equation
    when seen then
      n = pre(n) + 1;
    end when;
  end Bell;
  Real x(start = 0, fixed = true), y = 3*x;
  Bell a(u = time, c = 0.6123), b(u = x, c = 0.2), d[2](each u = y/3, c = {0.4, 0.8});
  Integer n = a.n + b.n + sum(d.n);
equation
  der(x) = 1;
end Glimpse;
