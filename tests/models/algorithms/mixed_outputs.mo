// Continuous and discrete outputs of one section, the discrete from the continuous.
// expect u(0.3) = 0.6 ± 1e-6
// expect held(0.3) = 0.5 ± 1e-6
// expect held(0.6) = 1.1 ± 1e-6
// expect sum(0.6) = 2.3 ± 1e-6
// solvers cvode dopri5 rk4
model MixedOutputs
  Real x(start = 0, fixed = true);
  Real u, sum;
  discrete Real held(start = 0, fixed = true);
equation
  der(x) = 1;
algorithm
  u := 2 * x;
  when sample(0.25, 0.3) then
    held := u;
  end when;
  sum := u + held;
end MixedOutputs;
