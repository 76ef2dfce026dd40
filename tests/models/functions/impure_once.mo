package ImpureOnce "An equation that takes several results of an impure function calls it once"
  record S
    Real a, b, c;
  end S;
  impure function count "with state of its own in C"
    input Real x;
    output Real n, twice, thrice;
    external "C" impure_once_count(x, n, twice, thrice) annotation(Include = "
      static void impure_once_count(double x, double *n, double *twice, double *thrice)
      {
        static double calls = 0;
        *n = ++calls;
        *twice = 2*calls;
        *thrice = 3*calls + 0*x;
      }");
  end count;
  function f
    input Real x, y;
    output S s;
  algorithm
    s := S(x + y, x*y, x - y);
  end f;
  model Part
    parameter Real k = 1;
    S s = f(k*time, 2);
    Real z = s.a + s.b + s.c;
  end Part;
  model Test
    discrete Real n(start = 0, fixed = true), twice(start = 0, fixed = true), thrice(start = 0,
      fixed = true);
    Part part[8](k = 1:8);
    Real wrong = abs(twice - 2*n) + abs(thrice - 3*n);
  equation
    when sample(0.25, 0.25) then
      (n, twice, thrice) = count(time);
    end when;
  end Test;
end ImpureOnce;
// model ImpureOnce.Test
// solvers dopri5
// expect max wrong <= 0
// expect part[8].z(1) = 32
// expect part[3].s.b(0.5) = 3
