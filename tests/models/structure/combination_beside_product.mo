// Two equations for three derivatives imply w = u + v. The third one of their loop has a
// coefficient that is not constant; it takes no part in the combination. The reference is solved by
// hand.
// expect max err <= 1e-6
// expect max gap <= 1e-9
model CombinationBesideProduct
  parameter Real C = 2;
  Real u(start = 1, fixed = true), v(start = 0.5, fixed = true), w;
  Real ru(start = 1, fixed = true), rv(start = 0.5, fixed = true);
  Real err = abs(u - ru) + abs(v - rv), gap = abs(w - u - v);
equation
  der(u) + u*der(w) = -1;
  C*(der(u) - der(v)) + der(w) = u + v;
  C*(der(v) - der(u)) - der(w) = -w;
  der(ru) = (ru*(ru + rv) - 1)/(1 + 4*ru);
  der(rv) = 3*der(ru) - (ru + rv);
end CombinationBesideProduct;
