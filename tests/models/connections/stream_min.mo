// A connector whose flow never leaves its component (min = 0) is not a source: the other's value
// enters exactly.
// expect h(0.0) = 3 ± 1e-12
// expect flat 'sink.h_in' = 'source.port.h'
package StreamMin
  connector Port
    Real p;
    flow Real m;
    stream Real h;
  end Port;
  model Source
    Port port;
  equation
    port.p = 1;
    port.h = 3;
  end Source;
  model Sink
    parameter Boolean reverses = false;
    parameter Real m = 1;
    Port port(m(min = if reverses then -1e60 else 0));
    Real h_in;
  equation
    port.m = m;
    port.h = 0;
    h_in = inStream(port.h);
  end Sink;
  model Test
    Source source;
    Sink sink, other;
    Real h = sink.h_in;
  equation
    connect(source.port, sink.port);
    connect(source.port, other.port);
  end Test;
end StreamMin;
// model StreamMin.Test
