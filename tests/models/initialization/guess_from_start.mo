model GuessFromStart
  "Flows have start values, but velocities are torn: they begin with guesses from the flows"
  // At zero velocities, and at any equal ones, the logarithm has no value.
  Real m1(start = 2), m2(start = 1) "flows";
  Real d1(start = 1), d2(start = 1) "densities";
  Real v1, v2 "velocities";
  Real x(start = 0, fixed = true);
equation
  d1 = 1 + 0.01*v1^2;
  d2 = 1 + 0.01*v2^2;
  m1 = d1*v1;
  m2 = d2*v2;
  log(v1 - v2) + m1 = 2.08;
  m2 + 0.1*m1 = 1.218 + 0.1*x;
  der(x) = -x;
  // expect v1(0) = 2 ± 1e-6
  // expect v2(0) = 1 ± 1e-6
  // expect m1(1) = 2.08 ± 1e-6
end GuessFromStart;
