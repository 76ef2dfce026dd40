// expect flat 'c[2,3].x' = 1.0
// expect flat s = {'c[1,1].x', 'c[2,1].x'}
model C Real x = 1; end C;
model Arrays
  C c[2, 3];
  Real s[2] = c[:, 1].x;
  Real t = sum(c.x);
end Arrays;
