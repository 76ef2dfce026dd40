// expect error I030 line 4 with cannot have equations
record R
  Real x;
equation
  x = 1;
end R;
model M
  R r;
end M;
