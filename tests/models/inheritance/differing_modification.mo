// expect error I003 line 10 with declarations differ
model A
  Real v(min = 0);
end A;
model B
  Real v(min = 0, max = 10);
end B;
model M
  extends A(v(max = 11));
  extends B;
equation
  v = 3;
end M;
