// Functions with more arguments and results than a C compiler passes one by one: eighty scalars of
// two records and arrays
// among them; results that are a scalar, a record with an array, several; a call in a branch that
// would fail;
// calls as arguments of calls, whose arguments together are many.
// solvers cvode dopri5
// options --stop-time 1
// expect s(1) = 820*2 + 6 ± 1e-6
// expect x(1) = exp(-1) ± 1e-5
// expect y(1) = 820*1.5 ± 1e-5
// expect last(1) = 3 ± 1e-9
// expect half(1) = 410 ± 1e-6
// expect z(1) = 1 ± 1e-9
// expect deep(1) = 8*1275 + 1 ± 1e-6
// expect nested(1) = 820*3 + 12 ± 1e-6
package many_arguments
  record Wide
    Real a1 = 1, a2 = 2, a3 = 3, a4 = 4, a5 = 5, a6 = 6, a7 = 7, a8 = 8, a9 = 9, a10 = 10, a11 = 11,
      a12 = 12, a13 = 13, a14 = 14, a15 = 15, a16 = 16, a17 = 17, a18 = 18, a19 = 19, a20 = 20,
        a21 = 21,
      a22 = 22, a23 = 23, a24 = 24, a25 = 25, a26 = 26, a27 = 27, a28 = 28, a29 = 29, a30 = 30,
        a31 = 31,
      a32 = 32, a33 = 33, a34 = 34, a35 = 35, a36 = 36, a37 = 37, a38 = 38, a39 = 39, a40 = 40;
    Real v[:] = {1, 2, 3};
  end Wide;

  function total "the sum of two records' fields"
    input Wide w;
    input Wide u;
    input Real more[:];
    output Real s;
  algorithm
    assert(w.a1 > 0, "a1 is positive");
    s := sum({w.a1, w.a2, w.a3, w.a4, w.a5, w.a6, w.a7, w.a8, w.a9, w.a10, w.a11, w.a12, w.a13,
      w.a14, w.a15,
      w.a16, w.a17, w.a18, w.a19, w.a20, w.a21, w.a22, w.a23, w.a24, w.a25, w.a26, w.a27, w.a28,
        w.a29,
      w.a30, w.a31, w.a32, w.a33, w.a34, w.a35, w.a36, w.a37, w.a38, w.a39, w.a40});
    s := s + sum({u.a1, u.a2, u.a3, u.a4, u.a5, u.a6, u.a7, u.a8, u.a9, u.a10, u.a11, u.a12, u.a13,
      u.a14, u.a15,
      u.a16, u.a17, u.a18, u.a19, u.a20, u.a21, u.a22, u.a23, u.a24, u.a25, u.a26, u.a27, u.a28,
        u.a29,
      u.a30, u.a31, u.a32, u.a33, u.a34, u.a35, u.a36, u.a37, u.a38, u.a39, u.a40}) + sum(more);
  end total;

  function some "x + 1275, not to be inlined"
    input Real x;
    input Real b1 = 1, b2 = 2, b3 = 3, b4 = 4, b5 = 5, b6 = 6, b7 = 7, b8 = 8, b9 = 9, b10 = 10,
      b11 = 11,
      b12 = 12, b13 = 13, b14 = 14, b15 = 15, b16 = 16, b17 = 17, b18 = 18, b19 = 19, b20 = 20,
        b21 = 21,
      b22 = 22, b23 = 23, b24 = 24, b25 = 25, b26 = 26, b27 = 27, b28 = 28, b29 = 29, b30 = 30,
        b31 = 31,
      b32 = 32, b33 = 33, b34 = 34, b35 = 35, b36 = 36, b37 = 37, b38 = 38, b39 = 39, b40 = 40,
        b41 = 41,
      b42 = 42, b43 = 43, b44 = 44, b45 = 45, b46 = 46, b47 = 47, b48 = 48, b49 = 49, b50 = 50;
    output Real y;
  algorithm
    assert(x > -1, "x is not negative");
    y := x + sum({b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18,
      b19, b20, b21,
      b22, b23, b24, b25, b26, b27, b28, b29, b30, b31, b32, b33, b34, b35, b36, b37, b38, b39, b40,
        b41,
      b42, b43, b44, b45, b46, b47, b48, b49, b50});
  end some;

  function halved
    input Wide w;
    output Wide u;
    output Real s;
    output Real v[size(w.v, 1)];
  algorithm
    u := Wide(a1 = w.a1/2, a2 = w.a2/2, a3 = w.a3/2, a4 = w.a4/2, a5 = w.a5/2, a6 = w.a6/2,
      a7 = w.a7/2,
      a8 = w.a8/2, a9 = w.a9/2, a10 = w.a10/2, a11 = w.a11/2, a12 = w.a12/2, a13 = w.a13/2,
      a14 = w.a14/2, a15 = w.a15/2, a16 = w.a16/2, a17 = w.a17/2, a18 = w.a18/2, a19 = w.a19/2,
      a20 = w.a20/2, a21 = w.a21/2, a22 = w.a22/2, a23 = w.a23/2, a24 = w.a24/2, a25 = w.a25/2,
      a26 = w.a26/2, a27 = w.a27/2, a28 = w.a28/2, a29 = w.a29/2, a30 = w.a30/2, a31 = w.a31/2,
      a32 = w.a32/2, a33 = w.a33/2, a34 = w.a34/2, a35 = w.a35/2, a36 = w.a36/2, a37 = w.a37/2,
      a38 = w.a38/2, a39 = w.a39/2, a40 = w.a40/2, v = w.v);
    s := total(w, u, {0.0});
    v := w.v;
  end halved;

  function sum_of_halved
    input Wide w;
    output Real y;
    output Real last;
    output Real half;
  protected
    Wide u;
    Real v[3];
  algorithm
    (u, y, v) := halved(w);
    last := v[end];
    half := total(u, u, {0.0})/2;
  end sum_of_halved;

  model Run
    Wide w;
    Wide bad(a1 = time - 2);
    Real s = total(w, w, {1, 2, 3});
    Real x(start = 1, fixed = true);
    Real y, last, half;
    Real z = if time > 5 then total(bad, w, {1.0}) else 1;
    Real nested = total(w, w, {total(w, w, {1, 2, 3})/2, 9});
    Real deep = some(some(some(some(some(some(some(some(time))))))));
  equation
    der(x) = -x*total(w, w, {0.0})/1640;
    (y, last, half) = sum_of_halved(w);
  end Run;
end many_arguments;
// model many_arguments.Run
