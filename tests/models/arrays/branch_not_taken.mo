// expect y[1](1) = 2
// expect y[3](1) = 0
// expect z(1) = 1
// expect w(1) = 5
model Branches "a subscript out of range is not an error if it is not evaluated"
  parameter Integer n = 3;
  parameter Boolean last = false;
  parameter Real t[:, :] = fill(0.0, 0, 2);
  Real x[3] = {1, 2, 3};
  Real y[3];
  Real z = if last then x[4] else x[1];
  Real w = if n > 3 then t[1, 1] else 5;
equation
  for i in 1:3 loop
    y[i] = if i < n then x[i + 1] else 0;
  end for;
end Branches;
