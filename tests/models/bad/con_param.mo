model A
  parameter Real p = 1;
  Real q;
equation
  connect(p, q);
end A;
// expect error F002 line 5
// expect error F002 line 5
