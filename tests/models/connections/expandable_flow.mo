// Connectors with flow variables in an expandable connector: the sum is over all of them.
// expect v(0.0) = 5 ± 1e-9
// expect i(0.0) = -5 ± 1e-9
package ExpandableFlow
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  expandable connector Bus
  end Bus;
  model Resistor
    parameter Real R = 1;
    Pin p;
  equation
    p.v = R*p.i;
  end Resistor;
  model Source
    Pin p;
  equation
    p.v = 5;
  end Source;
  model Box
    Bus bus;
    Resistor r;
  equation
    connect(r.p, bus.pin);
  end Box;
  model Test
    Bus bus;
    Box box;
    Source source;
    Real v = box.r.p.v, i = source.p.i;
  equation
    connect(box.bus, bus);
    connect(bus.pin, source.p);
  end Test;
end ExpandableFlow;
// model ExpandableFlow.Test
