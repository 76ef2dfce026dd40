// Branches that are arrays of literals, nested.
// expect z[1](0.0) = 1 ± 1e-12
// expect z[2](1.0) = 1 ± 1e-12
model if_of_literal_arrays
  function f
    input Real x[3];
    output Real y[3];
  protected
    Real s = x*x;
  algorithm
    y := if s > 1e-6 then x else (if abs(x[1]) > 1e-6 then {0, 1, 0} else {1, 0, 0});
  end f;
  Real z[3] = f({0, time, 0});
end if_of_literal_arrays;
