model transistor_amplifier "two stages, as nodal equations: a singular matrix of capacities hides "
  + "three constraints; values of the Bari test set"
  // options --stop-time 0.2 --tolerance 1e-8
  // solvers cvode ida radau
  // expect y1(0.2) = -0.5562145012262709e-2 ± 1e-7
  // expect y2(0.2) = 0.3006522471903042e1 ± 1e-6
  // expect y5(0.2) = 0.2704617865010554e1 ± 2e-6
  // expect y8(0.2) = 0.1236995868091548e1 ± 1e-4
  parameter Real C1 = 1e-6, C2 = 2e-6, C3 = 3e-6, C4 = 4e-6, C5 = 5e-6, Ub = 6, R0 = 1000, R = 9000;
  constant Real alpha = 0.99;
  Real y1, y2, y3, y4, y5, y6, y7, y8;
  Real Ue = 0.1*sin(200*3.141592653589793*time);
  function g
    input Real u;
    output Real i;
  algorithm
    i := 1e-6*(exp(u/0.026) - 1);
  end g;
initial equation
  y2 = 3;
  y3 = 3;
  y5 = 3;
  y6 = 3;
  y8 = 0;
equation
  C1*(der(y2) - der(y1)) = (y1 - Ue)/R0;
  C1*(der(y1) - der(y2)) = -Ub/R + y2*(2/R) - (alpha - 1)*g(y2 - y3);
  -C2*der(y3) = -g(y2 - y3) + y3/R;
  C3*(der(y5) - der(y4)) = -Ub/R + y4/R + alpha*g(y2 - y3);
  C3*(der(y4) - der(y5)) = -Ub/R + y5*(2/R) - (alpha - 1)*g(y5 - y6);
  -C4*der(y6) = -g(y5 - y6) + y6/R;
  C5*(der(y8) - der(y7)) = -Ub/R + y7/R + alpha*g(y5 - y6);
  C5*(der(y7) - der(y8)) = y8/R;
end transistor_amplifier;
