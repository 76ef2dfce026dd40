// Nothing flows from 0.5 s on: no equation holds the enthalpy of the node any longer, and it stays
// as it was.
// solvers cvode dopri5 radau
// expect h(0.4) = 940/3 ± 1e-9
// expect h(1.0) = 940/3 ± 1e-9
model NoFlow
  parameter Real h1 = 300, h2 = 320, h3 = 310;
  Real m1, m2, m3, H1, H2, H3, h, q(start = 0, fixed = true);
equation
  der(q) = m1;
  m1 = if time < 0.5 then 1 else 0;
  m2 = 2*m1;
  m1 + m2 + m3 = 0;
  H1 = semiLinear(m1, h1, h);
  H2 = semiLinear(m2, h2, h);
  H3 = semiLinear(m3, h3, h);
  H1 + H2 + H3 = 0;
end NoFlow;
