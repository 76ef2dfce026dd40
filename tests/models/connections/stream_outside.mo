// A stream passes through the boundary of a component: outside connectors, and an array of
// components.
// expect first(0.0) = 5 ± 1e-12
// expect last(0.0) = 5 ± 1e-12
// expect up(0.0) = 9 ± 1e-12
package StreamOutside
  connector Port
    Real p;
    flow Real m;
    stream Real h;
  end Port;
  model Pipe
    Port a, b;
  equation
    a.m + b.m = 0;
    a.p = b.p;
    a.h = inStream(b.h);
    b.h = inStream(a.h);
  end Pipe;
  model Wrapped
    Port a, b;
    Pipe pipe;
  equation
    connect(a, pipe.a);
    connect(pipe.b, b);
  end Wrapped;
  model Source
    Port port;
  equation
    port.m = -1;
    port.h = 5;
  end Source;
  model Sink
    Port port;
  equation
    port.p = 2;
    port.h = 9;
  end Sink;
  model Test
    Source source;
    Sink sink;
    Wrapped w[3];
    Real first = w[1].pipe.b.h;
    Real last = inStream(sink.port.h);
    Real up = inStream(source.port.h);
  equation
    connect(source.port, w[1].a);
    for i in 1:2 loop
      connect(w[i].b, w[i + 1].a);
    end for;
    connect(w[3].b, sink.port);
  end Test;
end StreamOutside;
// model StreamOutside.Test
