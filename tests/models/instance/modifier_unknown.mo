// expect error I005 line 6 with did you mean 'gain'?
model A
  parameter Real gain = 1;
end A;
model Wrong
  A a(gian = 2);
end Wrong;
