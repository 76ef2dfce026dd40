// A section that assigns nothing.
// expect x(1) = 1 ± 1e-6
// solvers cvode dopri5
model OnlyAsserts
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
algorithm
  assert(x < 2, "x is " + String(x));
  for i in 1:3 loop
    assert(x < 2 + i, "x is too large by " + String(i));
  end for;
end OnlyAsserts;
