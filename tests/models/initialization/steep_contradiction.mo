model Contradiction "Two equations with steep slopes that contradict each other"
  // Scaled by the slopes, a residual of 0.5 is as small as rounding; it is not a solution.
  // expect error R002 with is singular
  parameter Real k = 1e12;
  Real x(start = 0), y(start = 0);
equation
  k*(x + y + (x + y)^3) = 1;
  k*(x + y + (x + y)^3) = 2;
end Contradiction;
