model A
  parameter Real k = -1;
  Real x = k;
equation
  assert(k > 0, "k must be positive, is " + String(k));
end A;
// expect error R007 line 5
