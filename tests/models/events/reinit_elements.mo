// reinit of elements that parameters select, in loops, of components of arrays.
model ReinitElements
  model S
    Real x[2](each start = 1, each fixed = true);
  equation
    der(x) = {1, 2};
  end S;
  parameter Integer N = 4, j = 2, p[2] = {3, 1};
  S s[N];
  Real x[3](each start = 0, each fixed = true), y[3](each start = 0, each fixed = true);
  Real z[2, 2](each start = 0, each fixed = true);
equation
  der(x) = {1, 2, 3};
  der(y) = {1, 2, 3};
  der(z) = {{1, 1}, {1, 1}};
  when time > 0.5 then
    for k in 1:N - 1 loop
      reinit(s[N + 1 - k].x[1], 10*k);
    end for;
    reinit(x[j], -x[j]);
    for i in 1:2 loop
      reinit(y[p[i]], i);
    end for;
    reinit(z[j, j - 1], 7);
  end when;
  annotation(experiment(StopTime = 1));
end ReinitElements;
// expect s[1].x[1](0.8) = 1.8 ± 1e-6
// expect s[2].x[1](0.8) = 30.3 ± 1e-6
// expect s[4].x[1](0.8) = 10.3 ± 1e-6
// expect s[4].x[2](0.8) = 2.6 ± 1e-6
// expect x[2](0.8) = -0.4 ± 1e-6
// expect x[3](0.8) = 2.4 ± 1e-6
// expect y[1](0.8) = 2.3 ± 1e-6
// expect y[2](0.8) = 1.6 ± 1e-6
// expect y[3](0.8) = 1.9 ± 1e-6
// expect z[2,1](0.8) = 7.3 ± 1e-6
// expect z[1,1](0.8) = 0.8 ± 1e-6
