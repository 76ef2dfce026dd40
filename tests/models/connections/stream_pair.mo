// In a connection of two connectors, inStream is the value of the other one (section 15.2), also
// if that one declares that its flow never leaves it (min = 0) and the flow does so.
// h' = m*(actualStream(h) - h)/3 with m = 0.5 and actualStream = 2: h = 2 + 5*exp(-t/6)
// expect h(1.0) = 2 + 5*exp(-1/6) ± 1e-5
// expect user.h_in(0.0) = 2
package StreamPair
  connector Port
    Real p;
    flow Real m;
    stream Real h;
  end Port;
  model Flow "Takes a flow from its port"
    Port port;
    Real h(start = 7, fixed = true);
    Real h_in = inStream(port.h);
  equation
    port.m = 0.5;
    port.h = h;
    3 * der(h) = port.m * (actualStream(port.h) - h);
  end Flow;
  model Vessel
    Port port(m(min = 0));
  equation
    port.p = 1;
    port.h = 2;
  end Vessel;
  model Test
    Flow user;
    Vessel vessel;
    Real h = user.h;
  equation
    connect(user.port, vessel.port);
  end Test;
end StreamPair;
// model StreamPair.Test
