// expect error I001 line 6
// expect error I005 line 7
// expect error I001 line 9
model A parameter Real k = 1; end A;
model Several
  Bb b;
  A a(q = 1);
  Real x;
equation x = y;
end Several;
