// expect flat if b then
// expect ok
model Kept
  parameter Boolean b = true;
  Real x;
equation
  if b then x = 2*time; else x = 3*time; end if;
end Kept;
