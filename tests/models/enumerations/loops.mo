// Enumerations and Boolean as dimensions, subscripts and ranges (sections 10.1, 10.5, 11.2.2.2)
type Phase = enumeration(ice, water, steam);
model EnumerationLoops
  parameter Real c[Phase] = {2.1, 4.2, 1.9};
  Real d[Phase];
  Real s[Boolean];
  Real total;
  Integer numbers;
  Real w = c[Phase.water];
  Phase back = Phase(3);
  Boolean order = Phase.ice < Phase.steam;
equation
  for p in Phase loop
    d[p] = 10*c[p];
  end for;
  for b in Boolean loop
    s[b] = if b then 1 else 0;
  end for;
algorithm
  total := 0;
  numbers := 0;
  for p in Phase loop
    total := total + c[p];
    numbers := numbers + Integer(p);
  end for;
  for p in Phase.water:Phase.steam loop
    numbers := numbers + 10*Integer(p);
  end for;
end EnumerationLoops;
// expect d[2](1.0) = 42 ± 1e-9
// expect s[1](1.0) = 0 ± 1e-9
// expect s[2](1.0) = 1 ± 1e-9
// expect w(1.0) = 4.2 ± 1e-9
// expect total(1.0) = 8.2 ± 1e-9
// expect numbers(1.0) = 56 ± 1e-9
// expect back(1.0) = 3 ± 1e-9
// expect order(1.0) = 1 ± 1e-9
