// Iterators without a range run through the values of the type by which a dimension is declared
// (section 11.2.2.1), also in algorithms.
// expect b[1](0) = 0
// expect b[2](0) = 1
// expect e[3](0) = 3
// expect s(0) = 6
// options --stop-time 1
model ImplicitValues
  type E = enumeration(one, two, three);
  Boolean b[Boolean];
  Integer e[E];
  Integer s = sum(e[i] for i);
algorithm
  for i loop
    b[i] := i;
  end for;
  for i loop
    e[i] := Integer(i);
  end for;
end ImplicitValues;
