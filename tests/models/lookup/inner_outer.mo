// expect a(0) = 1 ± 1e-12
// expect b(0) = 11 ± 1e-12
// A component that is both gives its own value to those inside it, and is itself the one around it
// (section 5.5).
model Leaf
  outer Real p;
  Real q = p;
end Leaf;
model Middle
  inner outer Real p = p + 10;
  Leaf leaf;
end Middle;
model M
  inner Real p = 1;
  Middle m;
  Real a = m.p;
  Real b = m.leaf.q;
end M;
