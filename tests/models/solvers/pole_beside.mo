// A substrate s is used up. Below the pole at s = -K its slope is nearly the same as far above, so
// that a step from s = 0.2 to -0.3 agrees with all estimates of its error. Solutions:
// s + K*log(s) = 1 - t. At t = 0.5, s = 0.5006924.
// options --tolerance 1e-3
// solvers auto cvode ida radau esdirk
// expect s(0.5) = 0.5006924 ± 5e-3
// expect s(2) = 0 ± 1e-3
// expect s(10) = 0 ± 1e-3
// expect p(10) = 1 ± 5e-3
// expect q(10) = 0 ± 2e-3
// expect f(10) = 0 ± 2e-3
// expect b(10) = 0 ± 2e-3
model PoleBeside
  function rate
    input Real s;
    input Real K;
    output Real r;
  protected
    Real free = K + s;
  algorithm
    r := s/free;
  end rate;
  parameter Real K = 1e-3;
  Real s(start = 1, fixed = true), p(start = 0, fixed = true), free;
  Real q(start = 2, fixed = true) "The same, with an inverse";
  Real f(start = 1, fixed = true) "By a function";
  Real b(start = 1, fixed = true), v, w "In a block of equations";
equation
  free = K + s;
  der(s) = -s/free;
  der(p) = s/free;
  der(q) = -q*(K + q)^(-1);
  der(f) = -rate(f, K);
  v + 0.1*w^3 = b/(K + b);
  w = 0.01*v;
  der(b) = -v;
  annotation(experiment(StopTime = 10));
end PoleBeside;
