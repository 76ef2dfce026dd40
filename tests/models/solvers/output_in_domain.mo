// Between two steps the solver interpolates. An interpolated value may leave the domain of a
// function although the steps do not. The step is then repeated with a shorter one.
// solvers cvode radau
// expect y(2) = 10/9*(exp(-2) - exp(-20)) ± 1e-5
// expect y(10) = 10/9*exp(-10) ± 1e-5
// expect min x >= 0
model OutputInDomain
  function rate "Defined for x >= 0 only"
    input Real x;
    output Real y;
  algorithm
    assert(x >= 0, "Out of range");
    y := x;
  end rate;
  Real x(start = 1, fixed = true);
  Real y(start = 0, fixed = true);
equation
  der(x) = -10*rate(x);
  der(y) = 10*rate(x) - y;
  annotation (experiment(StopTime = 40, Interval = 0.01));
end OutputInDomain;
