model SmallBlocksInARow "The unknown of each block drives the next one"
  parameter Integer n = 12;
  parameter Real R[n] = {1.0*k for k in 1:n};
  Real u[n], i[n], s(start = 1, fixed = true);
equation
  der(s) = -u[n];
  R[1]*i[1] + u[1] = s;
  for k in 2:n loop
    R[k]*i[k] + u[k] = u[k - 1];
  end for;
  for k in 1:n loop
    u[k] = 5*R[k]*i[k];
  end for;
end SmallBlocksInARow;
// Every block takes u/5 away: u[k] = s/1.2^k.
// options --tolerance 1e-9 --stop-time 1
// expect u[1](0) = 1/1.2 ± 1e-9
// expect u[12](0) = 1/1.2**12 ± 1e-9
// expect s(1) = exp(-1/1.2**12) ± 1e-7
// expect equations 12 small linear systems solved symbolically
