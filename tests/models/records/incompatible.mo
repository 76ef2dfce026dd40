// Records are of one type if their fields have the same names and types (section 6.4)
record R
  Real a;
  Real b;
end R;
record S
  Real b;
  Real a;
end S;
record T
  Real a;
  Real c;
end T;
model Incompatible
  S s = R(1, 2);
  T t = R(1, 2);
end Incompatible;
// expect error I103 line 16
