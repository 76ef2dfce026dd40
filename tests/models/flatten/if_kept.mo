// expect flat if b then
// expect ok
// A condition that may change at events is kept; one on parameters alone is decided.
model Kept
  Boolean b = time > 0.5;
  Real x;
equation
  if b then x = 2*time; else x = 3*time; end if;
end Kept;
