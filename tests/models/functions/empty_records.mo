// Arrays of records without elements are passed to functions, beside others and as the only ones.
// expect y(1) = 5 ± 1e-9
// expect z(1) = 2 ± 1e-9
// expect w(1) = 12 ± 1e-9
// expect u(1) = 2 ± 1e-9
// expect s(1) = 4 ± 1e-9
model EmptyRecords
  record R
    Real a;
    Real b;
  end R;
  type Kind = enumeration(first, second);
  record Single
    Real a;
    Kind kind;
    Real c[2];
  end Single;
  function f
    input R r[:];
    input R q[:];
    input Real k;
    output Real y;
  algorithm
    y := k*size(r, 1) + sum(r[i].a for i in 1:size(r, 1)) +
      sum(q[i].a*q[i].b for i in 1:size(q, 1));
  end f;
  function g
    input Single r[:];
    input Real k;
    output Real y;
  algorithm
    y := k + 7*size(r, 1);
  end g;
  parameter Integer n = 0;
  R none[0];
  Real y = f(fill(R(0, 0), 0), {R(time, 2), R(3, time)}, 10);
  Real z = f(fill(R(1, 7), n), {R(time, 2)}, 10);
  Real w = f({R(1, 7)}, fill(R(0, 0), 0), 10 + time);
  Real u = f(none, {R(time, 2)}, 10);
  Real s = g(fill(Single(0, Kind.second, {1, 2}), 0), 4*time);
end EmptyRecords;
