// Records in functions: constructors with defaults, arrays in records, arrays of records, copies,
// nested fields.
// expect a(1.0) = 11 ± 1e-12
// expect b(1.0) = 7 ± 1e-12
// expect c(1.0) = 5 ± 1e-12
// expect d(1.0) = 9 ± 1e-12
// expect f(1.0) = 104 ± 1e-12
model Records
  record Point
    Real x = 1;
    Real y = 2;
  end Point;
  record Shape
    Point origin;
    Real weights[3] = {1, 2, 3};
    Integer n = 3;
  end Shape;
  function moved
    input Shape s;
    input Real by;
    output Shape t = s;
  algorithm
    t.origin.x := s.origin.x + by;
    t.weights[2] := 10*by;
  end moved;
  function sums
    input Point p[:];
    output Real s;
  algorithm
    s := 0;
    for i in 1:size(p, 1) loop
      s := s + p[i].x*p[i].y;
    end for;
  end sums;
  function pairs
    input Integer n;
    output Point p[n];
  algorithm
    for i in 1:n loop
      p[i].x := i;
      p[i].y := 1;
    end for;
    p[n] := Point(y=3, x=2);
  end pairs;
  constant Shape s = moved(Shape(Point(x=4)), 5);
  constant Real ca = s.origin.x + s.origin.y;
  Real a = ca;
  constant Point p[2] = {Point(x=1, y=1), Point(2, 3)};
  constant Real cb = sums(p);
  Real b = cb;
  constant Shape t = Shape(origin=Point(5, 6));
  constant Real cc = t.origin.x;
  Real c = cc;
  constant Real cd = sums(pairs(3));
  Real d = cd;
  constant Real cf = sum(s.weights) + 50;
  Real f = cf;
end Records;
