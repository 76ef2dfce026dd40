model SampledPlant "P-control of an integrator by samples: x[k+1] = (1 - K T) x[k] + K T"
  parameter Real K = 2, T = 0.1;
  Real x(start = 0, fixed = true);
  discrete Real u(start = 0, fixed = true);
equation
  der(x) = u;
  when sample(0, T) then
    u = K*(1 - x);
  end when;
end SampledPlant;
// solvers cvode dopri5 rk4 euler
// expect x(1) = 1-0.8^10 ± 1e-7
// expect u(0.55) = 2*0.8^5 ± 1e-7
