// expect error I006 line 6 with declared final
model A
  final parameter Real k = 1;
end A;
model Wrong
  A a(k = 2);
end Wrong;
