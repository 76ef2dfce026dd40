// With x > 0 the solution is x = (1.5 - time)/0.9, which is not positive after 1.5; without it, x =
// 0.5/0.9 is. Events do not accumulate
// there: the equations have no solution.
// expect error R001 line 8 with no consistent combination of switches and values was found at time = 1.5
model NoCombination
  Real x, y(start = 0, fixed = true);
equation
  x = (if x > 0 then 1.5 - time else 0.5) + 0.1*x;
  der(y) = x;
  annotation(experiment(StopTime = 2));
end NoCombination;
