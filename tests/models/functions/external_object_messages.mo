// Objects are destructed at every end of a run; the messages of their code come in order (see
// tests/cli).
// expect y(1) = 2 ± 1e-12
// expect warning R016 with late
model external_object_messages
  class Thing
    extends ExternalObject;
    function constructor
      input String name;
      input Real p;
      output Thing thing;
    external "C" thing = make_thing(name, p) annotation(Include = "
#include \"ModelicaUtilities.h\"
#include <stdlib.h>
static void *make_thing(const char *name, double p)
{ ModelicaFormatMessage(\"construct %s %g\\n\", name, p); return malloc(8); }");
    end constructor;
    function destructor
      input Thing thing;
    external "C" free_thing(thing) annotation(Include = "
#include \"ModelicaUtilities.h\"
#include <stdlib.h>
static void free_thing(void *thing) { ModelicaMessage(\"destruct\\n\"); free(thing); }");
    end destructor;
  end Thing;
  function use
    input Thing thing;
    input Real t;
    output Real y;
  external "C" y = use_thing(thing, t) annotation(Include = "
#include \"ModelicaUtilities.h\"
static double use_thing(void *thing, double t)
{ static int told; if (t > 0.7 && !told++) ModelicaWarning(\"late\\n\"); return t; }");
  end use;
  parameter Real p = 3;
  parameter Real limit = 2;
  Thing a = Thing("first", p);
  Thing b = Thing("second", 2*p);
  Real y;
equation
  y = use(a, time) + use(b, time);
  assert(y < limit + 0.5, "too much");
end external_object_messages;
