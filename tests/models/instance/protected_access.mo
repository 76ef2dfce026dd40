// expect error I013 line 7
model A
protected Real x = 1;
end A;
model Wrong
  A a;
  Real y = a.x;
end Wrong;
