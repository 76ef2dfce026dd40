model carried_on "nonlinear steps carried into each other diverge; with all unknowns iterated "
  + "they converge"
  // expect max b <= 1e-9
  // expect max r <= 1e-6
  Real z[50](each start=-1) "Broyden's tridiagonal function";
  Real T[20](each start=300, each nominal=300) "fins in a row, radiating, at rest";
  Real b, r;
initial equation
  der(T) = zeros(20);
equation
  for i in 1:50 loop
    (3 - 2*z[i])*z[i] - (if i > 1 then z[i-1] else 0) - (if i < 50 then 2*z[i+1] else 0) + 1 = 0;
  end for;
  for i in 1:20 loop
    10*der(T[i]) = 2.8e-8*(300^4 - T[i]^4) + (if i > 1 then 2*(T[i-1] - T[i]) else 1000) + (if i <
      20 then 2*(T[i+1] - T[i]) else 0);
  end for;
  b = max(abs((3 - 2*z[i])*z[i] - z[i-1] - 2*z[i+1] + 1) for i in 2:49);
  r = sum(abs(der(T)));
end carried_on;
