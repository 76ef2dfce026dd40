model AlgorithmRelations "Relations in an algorithm section yield events like those of equations"
  Integer n;
algorithm
  n := 0;
  for i in 1:3 loop
    if time*i > 1 then
      n := n + 1;
    end if;
  end for;
  annotation(experiment(StopTime = 2));
end AlgorithmRelations;
// expect n(0.3) = 0 ± 0
// expect n(0.4) = 1 ± 0
// expect n(0.8) = 2 ± 0
// expect n(2) = 3 ± 0
// expect event 1/3
// expect event 0.5
// expect event 1
