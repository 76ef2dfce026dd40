// reinit in an algorithm section, of elements that parameters, loops and assigned variables select;
// and in two clauses, of elements that one parameter selects, which are never the same.
// expect x[1](1) = 3 + 0.5 ± 1e-6
// expect x[2](1) = -2 + 0.3 ± 1e-6
// expect x[3](1) = -1 + 0.3 ± 1e-6
// expect y[1](1) = 10 + 0.5 ± 1e-6
// expect y[2](1) = 0.5 ± 1e-6
// expect y[3](1) = 30 + 0.5 ± 1e-6
// expect z[2](1) = 0.3 ± 1e-6
// expect z[3](1) = 0.5 ± 1e-6
// expect z[1](1) = 2 ± 1e-6
model ReinitElementsAlgorithm
  parameter Integer N = 3, j = 2;
  Integer p(start = 1, fixed = true);
  Real x[N](start = {1, 2, 3}, each fixed = true), y[N](each start = 1, each fixed = true);
  Real z[N](each start = 1, each fixed = true);
equation
  der(x) = ones(N);
  der(y) = ones(N);
  der(z) = ones(N);
  when time > 0.5 then
    reinit(z[mod(j, N) + 1], 0);
  end when;
  when time > 0.7 then
    reinit(z[j], 0);
  end when;
algorithm
  when time > 0.5 then
    for k in 1:N loop
      reinit(x[N + 1 - k], k);
    end for;
  elsewhen time > 0.7 then
    p := 3;
    reinit(x[p], -1);
    reinit(x[j], -2);
  end when;
algorithm
  when time > 0.5 then
    reinit(y[j], 0);
    for k in 1:2:3 loop
      reinit(y[k], 10*k);
    end for;
  end when;
end ReinitElementsAlgorithm;
