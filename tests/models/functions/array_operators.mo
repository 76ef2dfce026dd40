// Operators of arrays in functions that are not inlined; sizes by assignment.
// expect a(1.0) = 90 ± 1e-12
// expect b(1.0) = 5 ± 1e-12
// expect c(1.0) = 2.5 ± 1e-12
// expect e(1.0) = 0 ± 1e-12
// expect f(1.0) = 6 ± 1e-12
// expect g(1.0) = 18 ± 1e-12
// options --stop-time 1
model array_operators
  function joined "size decided by n at run time"
    input Real x[:];
    input Integer n;
    output Real s;
  protected
    Real w[:];
    Real m[:, :];
  algorithm
    w := fill(0.0, 0);
    for i in 1:n loop
      w := cat(1, w, x);
    end for;
    m := cat(2, matrix(w), 2*matrix(w));
    s := sum(m)*size(m, 1)/2 + size(m, 1);
    while s < -1e9 loop
      s := 0;
    end while;
  end joined;
  function power
    input Real A[:, :];
    input Integer n;
    output Real s;
  protected
    Real B[size(A, 1), size(A, 2)];
  algorithm
    B := A^n;
    s := B[1, 1];
    while s < -1e9 loop
      s := 0;
    end while;
  end power;
  function points
    input Real first, last;
    input Integer n;
    output Real v[:];
  algorithm
    v := linspace(first, last, n);
    while v[1] > 1e9 loop
      v := {0.0, 1.0};
    end while;
  end points;
  function second
    input Integer n;
    output Real s;
  protected
    Real v[:] = points(1, 4, n);
  algorithm
    s := v[2];
    while s > 1e9 loop
      s := 0;
    end while;
  end second;
  function crossed
    input Real u[3], v[3];
    output Real w[3];
  algorithm
    w := cross(u, v);
    while w[1] > 1e9 loop
      w := skew(u)*v;
    end while;
  end crossed;
  function skewed
    input Real u[3], v[3];
    output Real w[3];
  algorithm
    w := skew(u)*v;
    while w[1] > 1e9 loop
      w := cross(u, v);
    end while;
  end skewed;
  function formed
    input Real u[:];
    output Real s;
  protected
    Real D[size(u, 1), size(u, 1)], O[size(u, 1), size(u, 1)], V[:];
  algorithm
    D := diagonal(u);
    O := symmetric(outerProduct(u, u) + D);
    V := vector(O);
    s := sum(D) + O[2, 1] - O[1, 2] + V[1] - u[1]^2 - u[1];
    while s > 1e9 loop
      s := 0;
    end while;
  end formed;
  parameter Integer n = 3;
  Real x = time;
  Real a = joined({x, x - 1, 1}, n);
  Real b = power([x, 1; 1, x - 1], 4);
  Real c = second(n);
  Real e = sum(crossed({x, 2, 3}, {4, 5, 6}));
  Real f = formed({x, 2*x, 3});
  Real g = skewed({1, 2, 3}, {4, 5, 6})*{-1, 1, -1} + 6*x;
end array_operators;
