model Records
  record Point
    Real x, y;
  end Point;
  function add
    input Point a, b;
    output Point c;
  algorithm
    c.x := a.x + b.x;
    c.y := a.y + b.y;
  end add;
  parameter Point p = Point(1, 2);
  Point q(x = time, y = 2*time);
  Point r = add(p, q);
  Point l[2];
equation
  l[1] = q;
  l[2] = Point(x = 7, y = l[1].x);
end Records;
// expect r.x(1) = 2 ± 1e-12
// expect r.y(1) = 4 ± 1e-12
// expect l[2].y(0.5) = 0.5 ± 1e-12
