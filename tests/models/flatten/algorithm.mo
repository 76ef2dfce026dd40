// expect flat algorithm
// expect flat y := y + 1.0
// expect ok
model Algorithm
  Real y, z;
algorithm
  y := 0;
  for i in 1:3 loop
    y := y + 1;
  end for;
  if time > 1 then z := y; else z := 2*y; end if;
end Algorithm;
