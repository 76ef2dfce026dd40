model A
  parameter Boolean c = false;
  Real x = 1 if c;
  Real y = x;
end A;
// expect error I018 line 4
