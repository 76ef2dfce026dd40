// The elements of an empty array decide on the type of a comprehension over it.
// expect n(1) = 0
// expect y(1) = 5 ± 1e-12
model ComprehensionOfNoElements
  function same
    input String a, b;
    output Boolean yes = a == b;
  algorithm
  end same;
  constant String names[:] = fill("", 0);
  constant Integer s[:] = {if same(names[i], "b") then 1 else 0 for i in 1:size(names, 1)};
  Integer n = size(s, 1);
  Real y = 5 + sum(s)*time;
end ComprehensionOfNoElements;
