// Hybrid.Examples.Control.Chattering: on s = x + v = 0 the state slides, x' = -x, until the end.
// s falls to 0 where 1 - t^2 - 2*t = 0.
model Chattering
  extends Hybrid.Examples.Control.Chattering;
end Chattering;
// options --stop-time 5 --tolerance 1e-8
// expect event sqrt(2)-1
// expect s(3) = 0 ± 1e-6
// expect x(5) = (1-(sqrt(2)-1)^2)*exp(-(5-(sqrt(2)-1))) ± 1e-6
// expect v(5) = -(1-(sqrt(2)-1)^2)*exp(-(5-(sqrt(2)-1))) ± 1e-6
