package SharedCall "Results of one call, fields and elements, are computed together, also in "
  + "loops over like components"
  record S
    Real a, b, c;
    Integer n;
  end S;
  function f
    input Real x, y;
    output S s;
  algorithm
    s := S(x + y, x*y, x - y, 3);
  end f;
  function g
    input Real x;
    output Real p[3] = {x, 2*x, 3*x};
    output Real q = 4*x;
  algorithm
  end g;
  model Part
    parameter Real k = 1;
    S s = f(k*time, 2);
    Real z = s.a + s.b + s.c;
  end Part;
  model Test
    Part part[8](k = 1:8);
    Real p[3], q;
  equation
    (p, q) = g(time);
  end Test;
end SharedCall;
// model SharedCall.Test
// solvers dopri5
// expect part[8].z(1) = 32
// expect part[3].s.b(0.5) = 3
// expect part[3].s.n(0.5) = 3
// expect p[3](1) = 3
// expect q(0.5) = 2
