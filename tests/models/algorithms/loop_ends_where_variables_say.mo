// expect s(0.5-) = 1.5 ± 1e-9
// expect s(1) = 6 ± 1e-9
// expect q[3](0) = 30 ± 0
// expect q[2](1) = 2 ± 0
// expect d[3](1) = 5 ± 0
// expect d[2](1) = 10 ± 0
// The range of a for-statement may depend on variables (section 11.2.2).
model LoopEndsWhereVariablesSay
  Integer n(start = 2, fixed = true);
  Real s, q[4];
  discrete Real d[3](each start = 0, each fixed = true);
equation
  when time > 0.5 then
    n = 3;
  end when;
algorithm
  s := 0;
  for i in 1:n loop
    s := s + i*time;
  end for;
  q := {1, 2, 3, 4};
  for i in n:4 loop
    q[i] := 10*i;
  end for;
algorithm
  when sample(0.05, 0.1) then
    for i in 1:n loop
      d[i] := pre(d[i]) + 1;
    end for;
  end when;
end LoopEndsWhereVariablesSay;
