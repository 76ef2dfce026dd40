// A flow u falls to exactly zero at a time event, rests there, and comes back: the upstream values
// of all ports stay those of its direction,
// so that the mixture at the node h stays determined when it begins to flow again.
// expect h(0.2) = 1 ± 1e-9
// expect h(2) = 1 ± 1e-9
// expect S(2) = 1 + 2*exp(-0.375) ± 1e-5
// expect T(2) = 1 + exp(-0.375) ± 1e-5
// options --stop-time 2
model RestAtCorner
  Real u = if time < 0.5 then 1 - 2*time elseif time < 1 then 0 else time - 1;
  Real T(start = 2, fixed = true), S(start = 3, fixed = true);
  Real m, m1, m2, a, p, h, A, P, B, H1, H2;
equation
  m = -u;
  m1 + m2 = u;
  m1 = m2;
  A = semiLinear(m, a, 1);
  P = semiLinear(-m, a, p);
  A + P = 0;
  B = semiLinear(m, h, p);
  P + B = 0;
  H1 = semiLinear(m1, h, T);
  H2 = semiLinear(m2, h, S);
  B + H1 + H2 = 0;
  der(T) = H1 - m1*T;
  der(S) = H2 - m2*S;
end RestAtCorner;
