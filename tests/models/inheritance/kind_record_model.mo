// expect error I031 line 6 with record 'R' cannot extend model 'A'
model A
  Real x = 1;
end A;
record R
  extends A;
end R;
model M
  R r;
end M;
