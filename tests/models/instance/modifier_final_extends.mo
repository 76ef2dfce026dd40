// expect error I006 line 9
model A
  parameter Real k = 1;
end A;
model B
  extends A(final k = 2);
end B;
model Wrong
  B b(k = 3);
end Wrong;
