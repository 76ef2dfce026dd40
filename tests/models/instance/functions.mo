// expect flat y = f(x, 2.0)
// expect flat z = {1.0, 2.0, 3.0}
// expect flat (s, d) = both(x, y)
// expect ok
function f
  input Real a;
  input Real b = 2;
  output Real c;
protected
  Real t;
algorithm
  t := a*b;
  c := t + 1;
end f;
function ramp
  input Integer n;
  output Real v[n];
algorithm
  for i in 1:n loop
    v[i] := i;
  end for;
end ramp;
function both
  input Real a, b;
  output Real s, d;
algorithm
  s := a + b;
  d := a - b;
end both;
model Functions
  Real x = time, y = f(x);
  constant Real k[:] = ramp(3);
  Real z[3] = k;
  Real s, d;
equation
  (s, d) = both(x, y);
end Functions;
