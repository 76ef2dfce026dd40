// Medical Akzo Nobel: antibodies enter a tissue; diffusion on 200 points, with
// a jump of the inflow.
// Reference values: Mazzia and Magherini, Test Set for Initial Value Problem Solvers.
// The errors allowed are 100 times the tolerance, relative to the largest value.
// expect u[40](20) = 0.2339942217046434e-3 ± 0.000133
// expect u[75](20) = 0.3595616017506735e-3 ± 5.45e-05
// expect u[100](20) = 0.11737412926802e-3 ± 2.87e-06
// expect v[100](20) = 0.61908071460151e-5 ± 0.0001
// expect u[120](20) = 0.68600948191191e-11 ± 5e-14
// expect v[120](20) = 0.99999973258552 ± 0.0001
// solvers auto
// options --stop-time 20 --tolerance 1e-6
model MedicalAkzoNobel
  constant Integer n = 200;
  constant Real c = 4, k = 100, d = 1/n;
  constant Real alpha[n] = {2*(j*d - 1)^3/c^2 for j in 1:n};
  constant Real beta[n] = {(j*d - 1)^4/c^2 for j in 1:n};
  Real inflow = if time <= 5 then 2 else 0;
  Real u[n](each start = 0, each fixed = true), v[n](each start = 1, each fixed = true);
  Real before[n], after[n];
equation
  for j in 1:n loop
    before[j] = if j > 1 then u[max(j - 1, 1)] else inflow;
    after[j] = u[min(j + 1, n)];
    der(u[j]) = alpha[j]*(after[j] - before[j])/(2*d) + beta[j]*(before[j] - 2*u[j] + after[j])/d^2
      - k*u[j]*v[j];
    der(v[j]) = -k*u[j]*v[j];
  end for;
end MedicalAkzoNobel;
