// Three inside connectors: the mixture of the first two, weighted by their flows, enters the last.
// expect h(0.0) = 250 ± 1e-6
// expect back(0.0) = 7 ± 1e-6
// expect given(0.0) = 750 ± 1e-6
package StreamMix
  connector Port
    Real p;
    flow Real m;
    stream Real h;
  end Port;
  model Source
    parameter Real m = 1;
    parameter Real h = 1;
    Port port;
  equation
    port.m = -m;
    port.h = h;
  end Source;
  model Sink
    Port port;
    Real h_in = inStream(port.h);
    Real given = port.m*actualStream(port.h);
  equation
    port.p = 1;
    port.h = 7;
  end Sink;
  model Test
    Source a(m = 1, h = 100);
    Source b(m = 2, h = 325);
    Sink sink;
    Real h = sink.h_in;
    Real back = inStream(a.port.h)*0 + sink.port.h;
    Real given = sink.given;
  equation
    connect(a.port, sink.port);
    connect(b.port, sink.port);
  end Test;
end StreamMix;
// model StreamMix.Test
