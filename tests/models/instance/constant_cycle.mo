// expect error I007
model Cycle
  constant Real a = b;
  constant Real b = a;
  Real x = a;
end Cycle;
