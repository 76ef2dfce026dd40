// expect flat x[2] = 2.0*time
// expect flat y[2, 3] = 5.0
// expect flat z[3] = x[1]
// expect ok
model For
  Real x[3], y[2, 3], z[3];
equation
  for i in 1:3 loop
    x[i] = i*time;
    z[i] = x[4 - i];
  end for;
  for i in 1:2, j in 1:3 loop
    y[i, j] = i + j;
  end for;
end For;
