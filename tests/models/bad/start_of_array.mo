model StartOfArray
  Real x[2](start = {1, 2}, each fixed = true);
  Real y(start = x.start, fixed = true); // error I001 with has no element 'start'
equation
  der(x) = {1, 1};
  der(y) = 0;
end StartOfArray;
