// The only root lies at -1.769e5, beyond a maximum of the left side: from 0 Newton's method runs
// into its minimum at 0.816e5 and ends there. A homotopy
// that is followed by its length turns back with the curve and arrives.
// expect x(0) = -176929.23542386314 ± 1e-4
// expect x(1) = -175562.9004764414 ± 1e-4
model FarRoot
  Real x, q(start = 0, fixed = true);
equation
  der(q) = 1;
  (x/1e5)^3 - 2*(x/1e5) + 2 = 0.1*q;
end FarRoot;
