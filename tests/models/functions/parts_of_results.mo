package PartsOfResults "Fields and elements of other expressions than references: (f(x)).y, (e)[i]"
  record Point
    Real x, y;
  end Point;
  record Line
    Point a, b;
    Real w[3];
  end Line;
  function line
    input Real t;
    output Line l;
  algorithm
    l := Line(Point(t, 2*t), Point(3*t, 4*t), {t, 10*t, 100*t});
  end line;
  function points
    input Integer n;
    input Real t;
    output Point p[n];
  algorithm
    for i in 1:n loop
      p[i] := Point(i*t, -i*t);
    end for;
  end points;
  model Test
    Real w = ((line(time)).w)[2];
    Real y = ((line(time)).b).y;
    Real p = ((points(4, time))[3]).y;
    Real last = ({1, 2, 3*time})[end];
    Real s = sum((points(3, time)).x);
  end Test;
end PartsOfResults;
// model PartsOfResults.Test
// expect w(1) = 10
// expect y(1) = 4
// expect p(1) = -3
// expect last(0.5) = 1.5
// expect s(1) = 6
