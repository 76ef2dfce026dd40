// expect error I103 line 4
model Wrong
  parameter Boolean b = true;
  parameter Real r = b;
end Wrong;
