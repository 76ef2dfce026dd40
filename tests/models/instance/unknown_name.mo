// expect error I001 line 5 with did you mean 'velocity'?
model Unknown
  Real velocity;
equation
  velocty = 1;
end Unknown;
