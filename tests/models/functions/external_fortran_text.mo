// FORTRAN takes text as the address of its characters, with the length behind all other arguments:
// inputs, constants and locals alike.
// expect early(0.5) = 1
// expect late(0.5) = 201.5 ± 1e-12
// expect max lateAtZero <= 201
model external_fortran_text
  function picked
    input Real x;
    input Boolean twice;
    input String unit = "one";
    output Real y;
  protected
    String job = if twice then "T" else "N";
  external "FORTRAN 77" ext_picked(job, unit, x, y)
    annotation(Include = "
      #include <stddef.h>
      static void ext_picked_(char *job, char *unit, double *x, double *y, size_t n_job, size_t
      n_unit)
      { *y = (n_job == 1 && n_unit == 3 && unit[2] == 'e') ? *x + (*job == 'T' ? 200 : 0) : -1;
        *job = '?'; }");
  end picked;
  constant Real constantly = picked(1, false);
  parameter Real p = 1;
  Real early = constantly;
  Real late = picked(p + time, true);
  Real lateAtZero = picked(p, true);
end external_fortran_text;
