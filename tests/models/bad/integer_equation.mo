// expect error D010 line 5 with one side is an Integer variable and the other a Real
model IntegerEquation
  Integer i;
equation
  i = 1.5;
end IntegerEquation;
