// expect flat x = 2.0*time
// expect ok
model Decided
  parameter Integer n = 2;
  constant Boolean b = true;
  Real v[n] = fill(time, n);
  Real x, y;
equation
  if b then x = 2*time; else x = 3*time; end if;
  if n == 2 then y = v[1]; else y = v[3]; end if;
end Decided;
