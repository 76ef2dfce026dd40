// expect x(1.0) = 120 ± 1e-9
// expect y(1.0) = 21 ± 1e-9
// expect z(1.0) = 3 ± 1e-12
model Recursion
  function factorial
    input Integer n;
    output Integer y;
  algorithm
    y := if n <= 1 then 1 else n*factorial(n - 1);
  end factorial;
  function spread "an array made of the results for its halves"
    input Integer n;
    output Real y[n];
  algorithm
    if n == 1 then
      y[1] := 1;
    else
      y[1:div(n, 2)] := spread(div(n, 2));
      y[div(n, 2) + 1:n] := 2*spread(n - div(n, 2));
    end if;
  end spread;
  parameter Integer n = 3;
  constant Integer cx = factorial(5);
  Real x = cx;
  constant Real v[6] = spread(6);
  Real y = sum(v);
  Real w[n] = {i*time for i in 1:n};
  Real z = w[3];
end Recursion;
