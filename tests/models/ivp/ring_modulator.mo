// The ring modulator (Horneber): four diodes mix two sines; parasitic capacitances of 2 pF make it
// stiff and oscillating.
// Reference values: Mazzia and Magherini, Test Set for Initial Value Problem Solvers.
// The errors allowed are 1e-4, relative to the largest value.
// expect y[1](1e-3) = -0.2339057358486745e-1 ± 5.87e-05
// expect y[2](1e-3) = -0.7367485485540825e-2 ± 4.86e-05
// expect y[3](1e-3) = 0.2582956709291169 ± 6.4e-05
// expect y[4](1e-3) = -0.4064465721283450 ± 6.31e-05
// expect y[5](1e-3) = -0.4039455665149794 ± 5.74e-05
// expect y[6](1e-3) = 0.2607966765422943 ± 5.76e-05
// expect y[7](1e-3) = 0.1106761861269975 ± 8.72e-05
// expect y[8](1e-3) = 0.2939904342435596e-6 ± 3.16e-09
// expect y[9](1e-3) = -0.2840029933642329e-7 ± 2.01e-10
// expect y[10](1e-3) = 0.7267198267264553e-3 ± 9.7e-07
// expect y[11](1e-3) = 0.7929487196960840e-3 ± 9.7e-07
// expect y[12](1e-3) = -0.7255283495698965e-3 ± 9.7e-07
// expect y[13](1e-3) = -0.7941401968526521e-3 ± 9.7e-07
// expect y[14](1e-3) = 0.7088495416976114e-4 ± 1.1e-07
// expect y[15](1e-3) = 0.2390059075236570e-4 ± 7.3e-08
// solvers auto radau
// options --stop-time 1e-3 --tolerance 1e-7
model RingModulator
  constant Real C = 1.6e-8, Cs = 2e-12, Cp = 1e-8, Lh = 4.45, Ls1 = 2e-3, Ls2 = 5e-4, Ls3 = 5e-4;
  constant Real R = 25000, Rp = 50, Rg1 = 36.3, Rg2 = 17.3, Rg3 = 17.3, Ri = 50, Rc = 600;
  constant Real gamma = 40.67286402e-9, delta = 17.7493332, pi = 3.141592653589793;
  Real y[15](each start = 0, each fixed = true);
  Real u1 = 0.5*sin(2e3*pi*time), u2 = 2*sin(2e4*pi*time);
  Real ud[4] = {y[3] - y[5] - y[7] - u2, -y[4] + y[6] - y[7] - u2, y[4] + y[5] + y[7] + u2,
                -y[3] - y[6] + y[7] + u2};
  Real q[4] = {gamma*(exp(delta*ud[i]) - 1) for i in 1:4};
equation
  C*der(y[1]) = y[8] - 0.5*y[10] + 0.5*y[11] + y[14] - y[1]/R;
  C*der(y[2]) = y[9] - 0.5*y[12] + 0.5*y[13] + y[15] - y[2]/R;
  Cs*der(y[3]) = y[10] - q[1] + q[4];
  Cs*der(y[4]) = -y[11] + q[2] - q[3];
  Cs*der(y[5]) = y[12] + q[1] - q[3];
  Cs*der(y[6]) = -y[13] - q[2] + q[4];
  Cp*der(y[7]) = -y[7]/Rp + q[1] + q[2] - q[3] - q[4];
  Lh*der(y[8]) = -y[1];
  Lh*der(y[9]) = -y[2];
  Ls2*der(y[10]) = 0.5*y[1] - y[3] - Rg2*y[10];
  Ls3*der(y[11]) = -0.5*y[1] + y[4] - Rg3*y[11];
  Ls2*der(y[12]) = 0.5*y[2] - y[5] - Rg2*y[12];
  Ls3*der(y[13]) = -0.5*y[2] + y[6] - Rg3*y[13];
  Ls1*der(y[14]) = -y[1] + u1 - (Ri + Rg1)*y[14];
  Ls1*der(y[15]) = -y[2] - (Rc + Rg1)*y[15];
end RingModulator;
