// expect flat parameter Real k = 5.0
// expect flat parameter Real m = 2.0
// expect flat x = k + m
model A
  parameter Real k = 1;
  parameter Real m = 2;
  Real x;
equation
  x = k + m;
end A;
model B
  extends A(k = 3);
end B;
model C
  extends B(k = 5);
end C;
