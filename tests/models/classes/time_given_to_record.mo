// expect y(1) = 1 ± 1e-9
record R
  Real x;
end R;
model M
  R r(x = time);
  Real y = r.x;
end M;
