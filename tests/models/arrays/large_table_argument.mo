// A large table of parameters is an argument of functions: in order, turned, in part, and twice.
// expect a(1) = 6.25*200 ± 1e-9
// expect b(1) = 100.5 ± 1e-9
// expect c(1) = 199 ± 1e-9
// expect d(1) = 2.5*200 ± 1e-9
// expect e(1) = 3.75*200 ± 1e-9
model large_table_argument
  parameter Integer n = 200;
  parameter Real table[n, 2] = [linspace(1, n, n), fill(2.5, n)];
  parameter Real other[n, 2] = 1.5*table;
  function column
    input Real t[:, :];
    input Integer k;
    input Real by;
    output Real y;
  algorithm
    y := by*sum(t[i, k] for i in 1:size(t, 1));
  end column;
  function at
    input Real v[:];
    input Integer k;
    output Real y;
  algorithm
    y := v[k];
  end at;
  Real a = column(table, 2, time)*2.5;
  Real b = column(table, 1, time)/n;
  Real c = at(table[n:-1:1, 1], 2)*time;
  Real d = column(transpose(transpose(table)), 2, time);
  Real e = column(other, 2, time);
end large_table_argument;
