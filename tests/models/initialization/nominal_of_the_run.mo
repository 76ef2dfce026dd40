// A nominal value and a bound may depend on a parameter whose value only the run computes.
// expect x(1) = 3*exp(-1) ± 1e-5
model nominal_of_the_run
  class Store
    extends ExternalObject;
    function constructor
      input Real value;
      output Store store;
    external "C" store = make_store(value) annotation(Include = "
#include <stdlib.h>
static void *make_store(double value) { double *s = malloc(sizeof *s); *s = value; return s; }");
    end constructor;
    function destructor
      input Store store;
    external "C" free_store(store) annotation(Include = "
#include <stdlib.h>
static void free_store(void *store) { free(store); }");
    end destructor;
  end Store;
  function read
    input Store store;
    output Real value;
  external "C" value = read_store(store) annotation(Include = "
static double read_store(void *store) { return *(double *)store; }");
  end read;
  parameter Store store = Store(3);
  parameter Real size = read(store);
  Real x(start = size, fixed = true, nominal = size, max = 2*size);
equation
  der(x) = -x;
end nominal_of_the_run;
