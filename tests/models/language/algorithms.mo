model Algorithms "An algorithm section with a loop, and a discrete one that depends on events alone"
  Real x[3], s;
  Integer n, k;
  Boolean b[3] = {time > 1, 2*time > 1, 3*time > 1};
algorithm
  s := 0;
  for i in 1:3 loop
    x[i] := time*i;
    s := s + x[i];
  end for;
algorithm
  n := 0;
  for i in 1:3 loop
    if b[i] then
      n := n + 1;
    end if;
  end for;
  k := 2*n;
  annotation(experiment(StopTime = 2));
end Algorithms;
// expect s(1) = 6 ± 1e-12
// expect n(2) = 3 ± 0
// expect n(0.8) = 2 ± 0
// expect k(0.4) = 2 ± 0
// expect event 1/3
// expect event 0.5
