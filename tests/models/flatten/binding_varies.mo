// expect error F007 line 4
model Varies
  Real x = time;
  parameter Real p = x;
end Varies;
