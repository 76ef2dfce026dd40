// expect error I109 line 7 with subscript 4 is out of range 1:3
// expect error I109 line 8 with subscript 4 is out of range 1:3
model Branches "if it is, or may be, evaluated, it is an error"
  parameter Boolean last = true;
  Real x[3] = {1, 2, 3};

  Real z = if last then x[4] else x[1];
  Real w = if time > 0.5 then x[4] else x[1];
end Branches;
