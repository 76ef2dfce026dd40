// expect x(0) = acos(0) ± 1e-7
// expect x(0.5) = acos(0.5) ± 1e-6
// expect y(0.5) = 2*pi - acos(0.5) ± 1e-6
// At its start value the derivative of cos(x) is zero, and beside it small: a full step of Newton's
// method would lead to a solution far away.
model NearestBesideSingular
  Real x(start = 0), y(start = 4);
equation
  cos(x) = time;
  cos(y) = time;
  annotation(experiment(StopTime = 0.9));
end NearestBesideSingular;
