// size and ndims of arrays of components that have no value themselves (models).
// expect m(0) = 3
// expect k[1](0) = 2
// expect k[2](0) = 4
// expect n(0) = 2
// expect y(1) = 7 ± 1e-12
// expect s[3](1) = 3 ± 1e-9
model SizeOfComponents
  model Part
    parameter Integer i = 1;
    Real v = i*time;
  end Part;
  model Group
    Part part[4];
  end Group;
  Part c[3](i = 1:3);
  Group group[2];
  Integer m = size(c, 1);
  Integer k[2] = size(group.part);
  Integer n = ndims(group.part);
  Real s[size(c, 1)];
  Real y = size(c, 1) + group[1].part[size(group[1].part, 1)].v*size(group.part, 2);
equation
  for i in 1:size(c, 1) loop
    s[i] = c[i].v;
  end for;
end SizeOfComponents;
