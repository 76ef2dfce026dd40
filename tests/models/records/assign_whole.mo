// Whole records and arrays of components are assigned in an algorithm section: all values are taken
// first
record Pair
  Real x;
  Real y;
end Pair;
block Gain
  input Real y;
end Gain;
model AssignWhole
  Pair a;
  Pair b[2];
  Pair swapped;
  Gain g[2];
algorithm
  a := Pair(1, 2);
  a := Pair(a.y + a.x, 10*a.x);
  b := {a, Pair(a.y, time)};
  b[1].y := 7;
  swapped := Pair(b[2].y, b[1].x);
  g.y := {a.x, 2*a.x};
end AssignWhole;
// expect a.x(1.0) = 3 ± 1e-9
// expect a.y(1.0) = 10 ± 1e-9
// expect b[1].x(1.0) = 3 ± 1e-9
// expect b[1].y(1.0) = 7 ± 1e-9
// expect b[2].x(1.0) = 10 ± 1e-9
// expect b[2].y(1.0) = 1 ± 1e-9
// expect swapped.y(1.0) = 3 ± 1e-9
// expect g[2].y(1.0) = 6 ± 1e-9
