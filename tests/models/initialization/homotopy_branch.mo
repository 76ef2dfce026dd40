// Of three solutions the one that homotopy leads to from the simplified system.
// expect y(0) = -1.8 ± 1e-9
// expect y(1) = -1.8 ± 1e-9
// solvers cvode dopri5
model HomotopyBranch
  Real y(start = 1);
equation
  y = homotopy(2 * noEvent(if 5 * y > 1 then 1 elseif 5 * y < -1 then -1 else 5 * y) + 0.2, -1);
end HomotopyBranch;
