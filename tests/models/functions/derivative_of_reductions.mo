// expect b1(1) = 4/(1 + exp(-1)) - 1 ± 1e-6
// expect c1(1) = 4*exp(-1)/(1 + exp(-1))**2 ± 1e-6
// expect b2(1) = 3 - exp(-1) ± 1e-6
// expect c2(1) = exp(-1) ± 1e-6
// expect b3(1) = 6*exp(1) ± 1e-5
// expect c3(1) = 6*exp(1) ± 1e-5
// options --tolerance 1e-9
function grown "a product over an iterator"
  input Real x[:];
  output Real y;
algorithm
  y := product(1 + x[i] for i in 1:size(x, 1));
end grown;
function span "largest and smallest of any number of elements"
  input Real x[:];
  output Real y;
algorithm
  y := max(x[i] for i in 1:size(x, 1)) + min({x[i] + 3 for i in 1:size(x, 1)});
end span;
function volume "a product of an array"
  input Real x[:, :];
  output Real y;
algorithm
  y := product(x);
end volume;
model Reductions "differentiated, since derivatives of their unknowns are needed"
  Real a(start = 1, fixed = true), b1, b2(start = 2), b3(start = 6);
  Real c1 = der(b1), c2 = der(b2), c3 = der(b3);
equation
  der(a) = -a;
  grown({a, b1}) = 4;
  span({a, b2}) = 6;
  volume([a, 1; 2, b3]) = 12;
end Reductions;
