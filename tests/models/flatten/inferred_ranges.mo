// Ranges of for-equations inferred from the dimension that the iterator runs through.
// expect a(0.0) = 20 ± 0
// expect b(0.0) = 7 ± 0
model InferredRanges
  type Colour = enumeration(red, green, blue);
  Real x[Colour], y[Boolean], z[2, 3];
  Real a = x[Colour.green], b = y[true] + z[2, 3];
equation
  for i loop
    x[i] = 10*Integer(i);
  end for;
  for i loop
    y[i] = if i then 1 else 0;
  end for;
  for i, j loop
    z[i, j] = i*j;
  end for;
end InferredRanges;
