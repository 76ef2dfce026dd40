// The message names an equation with a thousand elements; it is cut.
// expect error R015 with its code called exit(1)
model long_message
  function f
    input Real x[:];
    output Real y;
  external "C" y = kairos_test_exit(x, size(x, 1))
    annotation(Include = "#include <stdlib.h>
      static double kairos_test_exit(const double *x, size_t n) { exit(1); return 0; }");
  end f;
  parameter Real a[1000] = {sin(i) for i in 1:1000};
  parameter Real y = f(a);
end long_message;
