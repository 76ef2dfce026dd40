// expect s(0) = 6 ± 1e-12
class Icon
end Icon;
record R
  extends Icon;
  Real x = 1;
end R;
block B
  extends R;
  Real y = 2;
end B;
model A
  extends B;
  Real z = 3;
end A;
connector C
  extends R;
  flow Real f;
end C;
model M
  A a;
  C c;
  Real s = a.x + a.y + a.z;
end M;
