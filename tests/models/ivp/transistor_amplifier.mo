// The transistor amplifier (Rentrop): five capacitors between eight nodes; derivatives
// occur only as differences.
// Reference values: Mazzia and Magherini, Test Set for Initial Value Problem Solvers.
// The errors allowed are 100 times the tolerance, relative to the largest value.
// expect y[1](0.2) = -0.5562145012262709e-2 ± 8.5e-06
// expect y[2](0.2) = 0.3006522471903042e1 ± 0.000306
// expect y[3](0.2) = 0.2849958788608128e1 ± 0.0003
// expect y[4](0.2) = 0.2926422536206241e1 ± 0.0006
// expect y[5](0.2) = 0.2704617865010554e1 ± 0.000326
// expect y[6](0.2) = 0.2761837778393145e1 ± 0.00031
// expect y[7](0.2) = 0.4770927631616772e1 ± 0.0006
// expect y[8](0.2) = 0.1236995868091548e1 ± 0.000426
// solvers auto
// options --stop-time 0.2 --tolerance 1e-6
model TransistorAmplifier
  constant Real Ub = 6, UF = 0.026, alpha = 0.99, beta = 1e-6, R0 = 1000, R = 9000;
  constant Real C[5] = {1, 2, 3, 4, 5}*1e-6;
  Real y[8](start = {0, Ub/2, Ub/2, Ub, Ub/2, Ub/2, Ub, 0},
            fixed = {true, false, true, true, false, true, true, false});
  Real g1 = beta*(exp((y[2] - y[3])/UF) - 1), g2 = beta*(exp((y[5] - y[6])/UF) - 1);
  Real Ue = 0.1*sin(200*3.141592653589793*time);
equation
  C[1]*(der(y[2]) - der(y[1])) = (y[1] - Ue)/R0;
  C[1]*(der(y[1]) - der(y[2])) = -Ub/R + 2*y[2]/R - (alpha - 1)*g1;
  C[2]*der(y[3]) = g1 - y[3]/R;
  C[3]*(der(y[5]) - der(y[4])) = -Ub/R + y[4]/R + alpha*g1;
  C[3]*(der(y[4]) - der(y[5])) = -Ub/R + 2*y[5]/R - (alpha - 1)*g2;
  C[4]*der(y[6]) = g2 - y[6]/R;
  C[5]*(der(y[8]) - der(y[7])) = -Ub/R + y[7]/R + alpha*g2;
  C[5]*(der(y[7]) - der(y[8])) = y[8]/R;
end TransistorAmplifier;
