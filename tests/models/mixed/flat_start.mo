// The power of a solar module as a function of the irradiance e. The start value of e is where the
// power is zero on both branches of the relation, and flat.
// expect e(1) = 100 ± 1e-6
model FlatStart
  Real e, voltage, current;
equation
  voltage = if e > 1 then 40*log(max(e, 1))/log(1000) else 0;
  current = if e > 1 then 8*e/1000 else 0;
  voltage*current = 64/3;
end FlatStart;
