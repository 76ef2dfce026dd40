// expect flat y = time
// expect ok
model Sizes
  parameter Boolean b = true;
  Real x, y;
equation
  x = 1;
  if b then y = time; end if;
  if not b then y = 2*time; y = 3; end if;
end Sizes;
