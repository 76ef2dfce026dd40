// Records, also nested ones and arrays of them, are arguments and results of external functions, at
// compile time and in a run.
// expect moved.x(1) = 2 ± 1e-12
// expect moved.n(1) = 4
// expect moved.part.b(1) = 5 ± 1e-12
// expect moved.on(1) = 1
// expect made.k(1) = 3
// expect made.b(1) = 1 ± 1e-12
// expect total(1) = 21 ± 1e-12
// expect scaled[2].b(1) = 20 ± 1e-12
// expect early(1) = 9 ± 1e-12
// expect sizes(1) = 32 ± 1e-12
model external_records
  record Inner
    Integer k;
    Real b;
  end Inner;
  record Outer
    Real x;
    Integer n;
    Inner part;
    Boolean on;
  end Outer;
  function move
    input Outer a;
    output Outer b;
  external "C" ext_move(a, b)
    annotation(Include = "
      typedef struct { double x; int n; struct { int k; double b; } part; int on; } Outer;
      static void ext_move(const Outer *a, Outer *b)
      { *b = *a; b->x = 2*a->x; b->n = a->n + 1; b->part.b = a->part.k + a->x; }");
  end move;
  function make
    input Real x;
    output Inner a;
  external "C" a = ext_make(x)
    annotation(Include = "
      typedef struct { int k; double b; } Made;
      static Made ext_make(double x) { Made a = {3, x}; return a; }");
  end make;
  function sumOf
    input Inner a[:];
    output Real y;
  external "C" y = ext_sum(a, size(a, 1))
    annotation(Include = "
      #include <stddef.h>
      typedef struct { int k; double b; } Item;
      static double ext_sum(const Item *a, size_t n)
      { double s = 0; for (size_t i = 0; i < n; i++) s += a[i].k*a[i].b; return s; }");
  end sumOf;
  function scale
    input Inner a[:];
    input Real f;
    output Inner b[size(a, 1)];
  external "C" ext_scale(a, size(a, 1), f, b)
    annotation(Include = "
      #include <stddef.h>
      typedef struct { int k; double b; } Scaled;
      static void ext_scale(const Scaled *a, size_t n, double f, Scaled *b)
      { for (size_t i = 0; i < n; i++) { b[i].k = a[i].k; b[i].b = f*a[i].b; } }");
  end scale;
  constant Outer c = move(Outer(1, 2, Inner(4, 0), true));
  constant Inner d = make(1.0);
  constant Inner e[2] = scale({Inner(1, 2), Inner(3, 5)}, 2);
  Real early = c.x + c.part.b - d.b + d.k;
  Real sizes = sumOf(e) - 2;
  Outer moved = move(Outer(time, 3, Inner(4, 0), true));
  Inner made = make(time);
  Real total = sumOf({Inner(1, time), Inner(2, 10)});
  Inner scaled[2] = scale({Inner(1, time), Inner(2, 10)}, 2*time);
end external_records;
