model SuperTwistingInput "Super-twisting against a disturbance of x itself"
  // The slope of sqrt(abs(x)) is infinite where x crosses zero. A Jacobian from there made the
  // corrections of the next steps tiny, as if their equations were solved.
  Real x(start = 1, fixed = true);
  Real z(start = 0, fixed = true);
  Real s = if x > 0 then 1 else -1;
equation
  der(x) = -1.5*sqrt(abs(x))*s + z + 0.3*sin(time);
  der(z) = -1.1*s;
end SuperTwistingInput;

// expect warning R019 with x > 0
// expect x(6) = 0 ± 1e-5
// expect z(6) = -0.3*sin(6) ± 1e-5
// expect s(6) = 0.3*cos(6)/1.1 ± 1e-3
// options --stop-time 6
// solvers auto cvode ida esdirk radau dopri5 rkf45
