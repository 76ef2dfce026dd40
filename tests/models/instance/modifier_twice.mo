// expect error I011 line 6
model A
  parameter Real k = 1;
end A;
model Wrong
  A a(k = 2, k = 3);
end Wrong;
