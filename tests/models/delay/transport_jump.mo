// A jump that enters a pipe leaves it two seconds later, and an integrator sees it then; two pipes
// in series, as components of an array.
// solvers cvode dopri5 euler rk4 inline-euler
// expect p[1].y(2.9) = 0 ± 1e-9
// expect p[1].y(3.1) = 1 ± 1e-9
// expect p[2].y(4.9) = 0 ± 1e-9
// expect p[2].y(5.1) = 1 ± 1e-9
// expect n(6) = 1 ± 1e-4 [euler 2e-2, rk4 1e-2, inline-euler 2e-2]
model TransportJump
  model Pipe
    input Real u;
    Real y, back;
    Real x(start = 3, fixed = true);
  equation
    der(x) = 0.5;
    (back, y) = spatialDistribution(u, 0, x, true);
  end Pipe;
  Pipe p[2];
  Real n(start = 0, fixed = true);
equation
  p[1].u = if time < 1 then 0 else 1;
  p[2].u = p[1].y;
  der(n) = p[2].y;
  annotation(experiment(StopTime = 6));
end TransportJump;
