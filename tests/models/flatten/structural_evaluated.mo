// expect flat Real[3] x
// expect ok
model Structural
  parameter Integer n = m + 1;
  parameter Integer m = 2;
  Real x[n];
equation
  for i in 1:n loop x[i] = i; end for;
end Structural;
