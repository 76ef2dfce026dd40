// Attributes in the definition of a type that is an array, for each element or for all of them
// (section 4.9)
type Sequence = Integer[3](min = {1, 1, 1}, max = {3, 3, 3}, start = 2);
model ArrayTypeAttributes
  parameter Sequence s = {1, 2, 3};
  parameter Sequence t[2] = {{1, 2, 3}, {3, 2, 1}};
  Real y = s[2] + t[2, 1];
end ArrayTypeAttributes;
// expect y(1.0) = 5 ± 1e-9
