// expect error I044 line 3 with to be taken from its value, but it has none
model SizeOfNothing
  parameter Real A[:, size(A, 1)];
  Real y = sum(A);
end SizeOfNothing;
