// expect error I030 line 6 with cannot have a component of model
model A
  Real x = 1;
end A;
record R
  A a;
end R;
model M
  R r;
end M;
