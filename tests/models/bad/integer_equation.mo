// expect error D010 line 5 with an Integer variable cannot equal a Real expression
model IntegerEquation
  Integer i;
equation
  i = 1.5;
end IntegerEquation;
