// HIRES (Schäfer 1975): growth of a plant under light, eight reactions.
// Reference values: Mazzia and Magherini, Test Set for Initial Value Problem Solvers.
// The errors allowed are 100 times the tolerance, relative to the largest value.
// expect y[1](321.8122) = 0.7371312573325668e-3 ± 0.0001
// expect y[2](321.8122) = 0.1442485726316185e-3 ± 1.28e-05
// expect y[3](321.8122) = 0.5888729740967575e-4 ± 1.96e-06
// expect y[4](321.8122) = 0.1175651343283149e-2 ± 4.58e-05
// expect y[5](321.8122) = 0.2386356198831331e-2 ± 1.86e-05
// expect y[6](321.8122) = 0.6238968252742796e-2 ± 7.5e-05
// expect y[7](321.8122) = 0.2849998395185769e-2 ± 5.7e-07
// expect y[8](321.8122) = 0.2850001604814231e-2 ± 5.7e-07
// solvers auto
// options --stop-time 321.8122 --tolerance 1e-6
model Hires
  Real y[8](start = {1, 0, 0, 0, 0, 0, 0, 0.0057}, each fixed = true);
equation
  der(y[1]) = -1.71*y[1] + 0.43*y[2] + 8.32*y[3] + 0.0007;
  der(y[2]) = 1.71*y[1] - 8.75*y[2];
  der(y[3]) = -10.03*y[3] + 0.43*y[4] + 0.035*y[5];
  der(y[4]) = 8.32*y[2] + 1.71*y[3] - 1.12*y[4];
  der(y[5]) = -1.745*y[5] + 0.43*y[6] + 0.43*y[7];
  der(y[6]) = -280*y[6]*y[8] + 0.69*y[4] + 1.71*y[5] - 0.43*y[6] + 0.69*y[7];
  der(y[7]) = 280*y[6]*y[8] - 1.81*y[7];
  der(y[8]) = -280*y[6]*y[8] + 1.81*y[7];
end Hires;
