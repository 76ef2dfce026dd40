// expect error I005 line 6 with no such component
model A
  Real x = 1;
end A;
model M
  extends A(break y);
end M;
