// The values of an iterator that runs over nothing have the type they would have.
// expect flat parameter String[0] s = fill("", 0)
// expect flat parameter Boolean[0] b = fill(false, 0)
// expect flat parameter Integer[0, 2] m
// expect y(0) = 0
model ComprehensionOfNothing
  parameter Integer n = 0;
  parameter String s[n] = {"p" + String(i) for i in 1:n};
  parameter Boolean b[n] = {i > 2 for i in 1:n};
  parameter Integer k[n] = {i for i in 1:n};
  parameter Integer m[n, 2] = {{i, 2*i} for i in 1:n};
  Real y = size(s, 1) + size(b, 1) + size(k, 1) + size(m, 1);
end ComprehensionOfNothing;
