// The size of a field declared with ":" comes from the record's value, through several levels and
// redeclarations
record Data
  parameter Integer n = 2;
  parameter Real t[:, 2] = [0, 1; 1, 2];
  final parameter Real u[:, 2] = if n > 1 then t else [1, 2];
end Data;
record More
  extends Data;
  parameter Integer m = 1;
end More;
record Example
  extends More(m = 2);
end Example;
model Part
  replaceable parameter Data d;
  Real y = d.u[1, 2] + size(d.t, 1);
end Part;
model Redeclared
  extends Part(redeclare More d);
  Real x = d.m;
end Redeclared;
model Middle
  replaceable parameter More d constrainedby Data;
  Redeclared a(final d = d);
end Middle;
model SizesThroughLevels
  parameter Example d(t = [0, 5; 1, 6; 2, 7]);
  Middle b(d = d);
end SizesThroughLevels;
// expect b.a.y(1.0) = 8 ± 1e-9
// expect b.a.x(1.0) = 2 ± 1e-9
