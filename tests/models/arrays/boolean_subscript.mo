// expect error I110 line 5 with must be Boolean, found Integer
model BooleanSubscript
  Real arr[Boolean];
equation
  arr[1] = 0;
  arr[true] = 1;
end BooleanSubscript;
