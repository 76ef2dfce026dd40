// A dimension made of those before it (section 10.1); without a value there is nothing to begin
// with.
// expect y(0) = 6 ± 1e-12
model SizeOfItself
  block StateSpace
    parameter Real A[:, size(A, 1)] = [1, 0; 0, 1];
    parameter Real B[size(A, 1), :] = [1; 1];
    Real x[size(A, 1)] = A*fill(1.0, size(A, 2)) + B[:, 1];
  end StateSpace;
  StateSpace two, three(A = [1, 0, 0; 0, 1, 0; 0, 0, 1], B = [1; 1; 1]);
  parameter Integer n = size(three.A, 2);
  Real y = sum(three.x) + (n - 3);
end SizeOfItself;
