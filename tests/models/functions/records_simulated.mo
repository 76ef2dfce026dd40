// Records as inputs, outputs and locals of functions that are called while time runs; arrays of
// records; Strings.
// expect a(1.0) = 11 ± 1e-9
// expect b(1.0) = 8 ± 1e-9
// expect c(1.0) = 15 ± 1e-9
// expect d(1.0) = 3 ± 1e-9
// expect s(1.0) = 20 ± 1e-9
// options --stop-time 1
model records_simulated
  record Point
    Real x;
    Real y;
  end Point;
  record Shape
    Point origin;
    Real weights[3];
  end Shape;
  function moved
    input Shape s;
    input Real by;
    output Shape t;
  algorithm
    t := s;
    t.origin.x := s.origin.x + by;
    t.weights[2] := 10*by;
    while t.weights[2] > 1e9 loop
      t.weights[2] := 0;
    end while;
  end moved;
  function sums
    input Point p[:];
    output Real s;
  algorithm
    s := 0;
    for i in 1:size(p, 1) loop
      s := s + p[i].x*p[i].y;
    end for;
    while s > 1e9 loop
      s := 0;
    end while;
  end sums;
  function pairs
    input Integer n;
    output Point p[n];
  algorithm
    for i in 1:n loop
      p[i].x := i;
      p[i].y := 1;
    end for;
    p[n] := Point(y = 3, x = 4);
    while p[1].x > 1e9 loop
      p[1].x := 0;
    end while;
  end pairs;
  function total
    input Integer n;
    output Real s;
  algorithm
    s := sums(pairs(n));
  end total;
  function named
    input String mode;
    input Real u;
    output Real v;
  algorithm
    assert(u > -1e9, "bad argument in mode " + mode);
    v := 0;
    while v < u loop
      v := if mode == "fast" then v + 20 else v + 1;
    end while;
  end named;
  parameter Integer n = 3;
  Real x = time;
  Shape shape = moved(Shape(Point(4*x, 2), {1, x, 3}), 5*x);
  Real a = shape.origin.x + shape.origin.y;
  Real b = sums({Point(x, 2), Point(2*x, 3*x)});
  Real c = total(n);
  Real d = sums({Point(x, x), Point(x, x), Point(1, x)});
  Real s = named("fast", x) + 0*named("slow", x);
end records_simulated;
