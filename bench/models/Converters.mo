package Converters "Power electronics with ideal elements; leak > 0 gives them resistances instead"
  connector Pin Real v; flow Real i; end Pin;
  partial model OnePort
    Pin p, n;
    Real v, i;
  equation
    v = p.v - n.v; 0 = p.i + n.i; i = p.i;
  end OnePort;
  model Ground Pin p; equation p.v = 0; end Ground;
  model Resistor extends OnePort; parameter Real R = 1; equation v = R*i; end Resistor;
  model Capacitor extends OnePort; parameter Real C = 1; equation C*der(v) = i; end Capacitor;
  model Inductor extends OnePort; parameter Real L = 1; equation L*der(i) = v; end Inductor;
  model Source extends OnePort; parameter Real V = 1, f = 50, phase = 0;
    constant Real pi = 3.141592653589793;
  equation v = V*sin(2*pi*f*time + phase); end Source;
  model Constant extends OnePort; parameter Real V = 1; equation v = V; end Constant;
  model Diode extends OnePort; parameter Real leak = 0; Real s; Boolean off;
  equation
    off = s < 0; v = if off then s else leak*s; i = if off then leak*s else s;
  end Diode;
  model Switch extends OnePort; parameter Real leak = 0; input Boolean closed;
  equation
    0 = if closed then v - leak*i else i - leak*v;
  end Switch;

  model Rectifier "a diode in series with an inductor, 50 Hz"
    parameter Real leak = 0;
    Source source(V = 10); Inductor coil(L = 0.01, i(start = 0, fixed = true));
      Diode diode(leak = leak);
    Capacitor storage(C = 0.001, v(start = 0, fixed = true)); Resistor load(R = 50); Ground ground;
    output Real y = storage.v;
  equation
    connect(source.p, coil.p); connect(coil.n, diode.p); connect(diode.n, storage.p);
      connect(storage.p, load.p);
    connect(source.n, ground.p); connect(storage.n, ground.p); connect(load.n, ground.p);
    annotation(experiment(StopTime = 10, Tolerance = 1e-6));
  end Rectifier;

  model Buck "24 V to 12 V, 100 kHz"
    parameter Real leak = 0, f = 100e3, duty = 0.5;
    Constant source(V = 24); Switch switch(leak = leak, closed = on); Diode diode(leak = leak);
    Inductor coil(L = 1e-4, i(start = 2, fixed = true)); Capacitor storage(C = 1e-4, v(start = 12,
      fixed = true)); Resistor load(R = 6); Ground ground;
    Boolean on(start = true, fixed = true);
    output Real y = storage.v;
  equation
    when sample(0, 1/f) then on = true; elsewhen sample(duty/f, 1/f) then on = false; end when;
    connect(source.p, switch.p); connect(switch.n, coil.p); connect(diode.n, coil.p);
      connect(coil.n, storage.p); connect(storage.p, load.p);
    connect(source.n, ground.p); connect(diode.p, ground.p); connect(storage.n, ground.p);
      connect(load.n, ground.p);
    annotation(experiment(StopTime = 0.1, Tolerance = 1e-6));
  end Buck;

  model Leg "two switches with diodes beside them"
    parameter Real leak = 0;
    Pin plus, minus, out;
    input Boolean high;
    Switch upper(leak = leak, closed = high), lower(leak = leak, closed = not high);
    Diode back(leak = leak), forth(leak = leak);
  equation
    connect(plus, upper.p); connect(upper.n, out); connect(out, lower.p); connect(lower.n, minus);
    connect(forth.p, out); connect(forth.n, plus); connect(back.p, minus); connect(back.n, out);
  end Leg;

  model Inverter "three legs, a load of resistors and coils in a star, 10 kHz, 50 Hz"
    parameter Real leak = 0, f = 10e3, depth = 0.8;
    constant Real pi = 3.141592653589793;
    Constant source(V = 300); Resistor feed(R = 0.01); Leg leg[3](each leak = leak, high = on);
    Resistor load[3](each R = 5); Inductor coil[3](each L = 0.01, i(each start = 0)); Ground ground;
    Boolean on[3](each start = false, each fixed = true);
    discrete Real share[3](each start = 0.5, each fixed = true) "of a period that a leg is high";
    discrete Real begin(start = 0, fixed = true);
    output Real y = coil[1].i;
  initial equation
    coil[1].i = 0; coil[2].i = 0;
  equation
    when sample(0, 1/f) then
      begin = time;
      for k in 1:3 loop
        share[k] = 0.5 + 0.5*depth*sin(2*pi*50*time - (k - 1)*2*pi/3);
      end for;
    end when;
    for k in 1:3 loop
      on[k] = time < begin + share[k]/f;
    end for;
    connect(source.p, feed.p); connect(source.n, ground.p);
    for k in 1:3 loop
      connect(feed.n, leg[k].plus); connect(leg[k].minus, ground.p);
      connect(leg[k].out, load[k].p); connect(load[k].n, coil[k].p); connect(coil[k].n, coil[1].n);
    end for;
    annotation(experiment(StopTime = 1, Tolerance = 1e-6));
  end Inverter;

  model Ladder "n ideal diodes between n nodes in a ring with sources; every event settles them all"
    parameter Integer n = 10;
    parameter Real leak = 0;
    Resistor r[n](each R = 1); Source s[n](V = {2 + mod(7*k, 5) for k in 1:n}, f = {1 + 0.1*mod(3*k,
      4) for k in 1:n}, phase = {0.7*k for k in 1:n});
    Diode d[n](each leak = leak); Capacitor c(C = 0.1, v(start = 0, fixed = true));
      Resistor load(R = 2); Ground ground;
    output Real y = c.v;
  equation
    for k in 1:n loop
      connect(s[k].n, ground.p); connect(s[k].p, r[k].p); connect(r[k].n, d[k].p);

    end for;
    for k in 1:n - 1 loop
      connect(d[k].n, r[k + 1].n);
    end for;
    connect(d[n].n, c.p); connect(c.n, ground.p); connect(load.p, c.p); connect(load.n, ground.p);
    annotation(experiment(StopTime = 2, Tolerance = 1e-6));
  end Ladder;
end Converters;
