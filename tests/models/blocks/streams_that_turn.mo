// Three streams meet in a node without volume and turn round together: m1, m2 and m3 pass zero at
// one instant, by different amounts. Were one of
// the relations to change without the others, no stream would carry the enthalpy of the node, and
// it would be left open.
// solvers cvode dopri5 radau
// expect h(0.5) = 940/3 ± 1e-9
// expect h(1.0) = 940/3 - (10/3)*exp(-0.007) ± 1e-4
// expect events = 1
// expect q(1.0) = -0.3 ± 1e-9
// options --tolerance 1e-7
model StreamsThatTurn
  parameter Real h1 = 300, h2 = 320;
  Real q(start = 0.7, fixed = true);
  Real h3(start = 310, fixed = true);
  Real m1, m2, m3, H1, H2, H3, h;
equation
  der(q) = -1;
  der(h3) = 0.01*(h - h3);
  m1 = q;
  m2 = 2*q;
  m1 + m2 + m3 = 0;
  H1 = semiLinear(m1, h1, h);
  H2 = semiLinear(m2, h2, h);
  H3 = semiLinear(m3, h3, h);
  H1 + H2 + H3 = 0;
end StreamsThatTurn;
