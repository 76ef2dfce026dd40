// External objects: made once parameters are known, each its own, handed to functions, counted by
// constructor and destructor.
// options --set scale=2
model external_object_run
  class Counter
    extends ExternalObject;
    function constructor
      input Real first[:];
      input String name;
      output Counter c;
    external "C" c = counter_new(first, size(first, 1), name)
      annotation(Include = "
#include <stdlib.h>
#include <string.h>
#ifndef COUNTER
#define COUNTER
typedef struct Counter { double sum; int calls; int length; } Counter;
static void *counter_new(const double *first, size_t n, const char *name)
{
  Counter *c = calloc(1, sizeof *c);
  for (size_t i = 0; i < n; i++) c->sum += first[i];
  c->length = (int)strlen(name);
  return c;
}
#endif");
    end constructor;
    function destructor
      input Counter c;
    external "C" free(c) annotation(Include = "#include <stdlib.h>");
    end destructor;
  end Counter;
  function total
    input Counter c;
    input Real x;
    output Real y;
  external "C" y = counter_total(c, x)
    annotation(Include = "
typedef struct Total { double sum; int calls; int length; } Total;
static double counter_total(void *p, double x) { Total *c = p; return c->sum*x + c->length; }");
  end total;
  impure function next "Counts its calls"
    input Counter c;
    output Integer n;
  external "C" n = counter_next(c)
    annotation(Include = "
typedef struct Next { double sum; int calls; int length; } Next;
static int counter_next(void *p) { return ++((Next *)p)->calls; }");
  end next;
  model Part
    parameter Real scale = 1;
    parameter Real half = scale/2;
    parameter Counter c = Counter({1, scale, half}, "abc");
    final parameter Real atOne = total(c, 1) "Needs the object, which needs another parameter";
    Real y = total(c, time);
    Real z = atOne + time;
  end Part;
  parameter Real scale = 1;
  Part p[2](scale = {scale, 10});
  parameter Counter own = Counter(fill(0, 2), "");
  parameter Counter other = Counter(fill(0, 2), "");
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
equation
  when sample(0.25, 0.25) then
    n = next(own);
  end when;
  when time > 0.6 then
    m = next(other);
  end when;
end external_object_run;
// expect p[1].z(0) = 7 ± 1e-12
// expect p[1].y(1) = 7 ± 1e-12
// expect p[2].y(1) = 19 ± 1e-12
// expect n(1) = 4
// expect m(1) = 1
