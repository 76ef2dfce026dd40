// Sizes of a field made of those before it, also of itself, as in state spaces: constructors take
// them from their arguments, results
// of functions have them redeclared.
// expect y(0) = 1 + 1 + 2
// expect z(0) = 6
// expect q(0) = 3
package OwnSizes
  record SS
    Real A[:, size(A, 1)];
    Real B[size(A, 1), :];
  end SS;
  function make
    input Integer n;
    output SS s(redeclare Real A[n, n], redeclare Real B[n, 1]);
  algorithm
    s.A := identity(n);
    s.B := ones(n, 1);
  end make;
  model Test
    parameter Real A[:, size(A, 1)] = identity(3);
    parameter SS s = SS(A = identity(2), B = ones(2, 1));
    parameter SS t(A = identity(2), B = ones(2, 3));
    parameter SS u = make(3);
    Real y = s.A[2, 2] + A[3, 3] + size(s.B, 1);
    Real z = sum(t.B);
    Real q = sum(u.A);
  end Test;
end OwnSizes;
