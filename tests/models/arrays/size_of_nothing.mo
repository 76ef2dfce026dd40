// expect error I044 line 3 with needs a value that shows the size
model SizeOfNothing
  parameter Real A[:, size(A, 1)];
  Real y = sum(A);
end SizeOfNothing;
