// options --tolerance 1e-9
// expect a(1) = 0.5 ± 1e-6
// expect b(1) = 1/6 ± 1e-6
// expect flat 'g[2].c[2].x'
// expect flat 'h[2].c[3].x'
block Chain
  parameter Integer n = 1;
  Real x[n](each start = 0, each fixed = true);
  output Real y = x[n];
equation
  der(x[1]) = 1;
  for i in 2:n loop
    der(x[i]) = x[i - 1];
  end for;
end Chain;
model Group
  parameter Integer m = 2;
  Chain c[m](n = 1:m);
  output Real y = c[m].y;
end Group;
model Nested "arrays of unlike elements in arrays, alike and not"
  Group g[2];
  Group h[2](m = {2, 3});
  Real a = g[1].y;
  Real b = h[2].y;
end Nested;
