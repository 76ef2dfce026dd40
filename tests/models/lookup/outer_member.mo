// expect error I001 line 11 with has no element 'b'
record R
  Integer a = 1;
end R;
record S
  extends R;
  Real b = 2;
end S;
model A
  outer R r;
  Real x = r.b;
end A;
model M
  inner S r;
  A a;
end M;
