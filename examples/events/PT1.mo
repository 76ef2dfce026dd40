package PT1 "First-order blocks: reset by an input, and a chain that starts at rest for any input"
  connector In = input Real;
  connector Out = output Real;
  block Reset
    parameter Real T = 0.5;
    In u;
    input Boolean reset;
    Real x(start = 0, fixed = true);
    Out y = x;
  equation
    T*der(x) = u - x;
    when reset then
      reinit(x, 2*u);
    end when;
  end Reset;
  block Steady
    parameter Real T = 1;
    In u;
    Real x(start = 5);
    Out y = x;
  equation
    T*der(x) = u - x;
    when initial() then
      reinit(x, u);
    end when;
  end Steady;
  model Both
    Reset r(u = 1, reset = time > 1);
    Steady a(u = 3 + sin(time)), b(T = 2), c(T = 0.1);
  equation
    connect(a.y, b.u);
    connect(b.y, c.u);
    annotation(experiment(StopTime = 2));
  end Both;
end PT1;
// model PT1.Both
// options --tolerance 1e-8
// solvers cvode dopri5
// expect r.x(1-) = 1 - exp(-2) ± 1e-6
// expect r.x(1) = 2
// expect r.x(2) = 1 + exp(-2) ± 1e-6
// expect a.x(0) = 3 ± 1e-10
// expect b.x(0) = 3 ± 1e-10
// expect c.x(0) = 3 ± 1e-10
