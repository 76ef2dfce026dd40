// expect flat initial equation
// expect flat der(x) = 0.0
// expect ok
model Initial
  Real x, y;
initial equation
  der(x) = 0;
initial algorithm
  y := 1;
equation
  der(x) = 1 - x;
  der(y) = -y;
end Initial;
