// A result of an external function whose declaration leaves sizes open has those of its value.
// expect b[1,1](1) = 2 ± 1e-12
// expect b[1,3](1) = 8 ± 1e-12
// expect s(1) = 10 ± 1e-12
model external_result_sizes
  function doubled
    input Real a[:, :];
    output Real b[:, :] = a;
    output Real s;
  external "C" ext_doubled(b, size(b, 1)*size(b, 2), s)
    annotation(Include = "#include <stddef.h>
      static void ext_doubled(double *b, int n, double *s)
      { *s = 0; for (int i = 0; i < n; i++) { b[i] *= 2; *s += b[i]; } }");
  end doubled;
  Real b[1, 3];
  Real s;
equation
  (b, s) = doubled([time, 0, 4*time]);
end external_result_sizes;
