package MassChain "Masses between two walls, coupled by springs and dampers; the first one is "
  + "pushed by sin(time)"
  connector Flange
    Real s(unit = "m");
    flow Real f(unit = "N");
  end Flange;
  model Mass
    Flange a, b;
    parameter Real m = 1;
    Real s(start = 0, fixed = true), v(start = 0, fixed = true);
  equation
    a.s = s;
    b.s = s;
    v = der(s);
    m*der(v) = a.f + b.f;
  end Mass;
  model SpringDamper
    Flange a, b;
    parameter Real c = 1, d = 0.1;
    Real s, v, f;
  equation
    s = b.s - a.s;
    v = der(s);
    f = c*s + d*v;
    b.f = f;
    a.f = -f;
  end SpringDamper;
  model Wall
    Flange flange;
  equation
    flange.s = 0;
  end Wall;
  model Push
    Flange flange;
  equation
    flange.f = -sin(time);
  end Push;

  model Chain
    parameter Integer n = 200;
    Mass mass[n];
    SpringDamper spring[n + 1];
    Wall left, right;
    Push push;
  equation
    connect(left.flange, spring[1].a);
    for i in 1:n loop
      connect(spring[i].b, mass[i].a);
      connect(mass[i].b, spring[i + 1].a);
    end for;
    connect(spring[n + 1].b, right.flange);
    connect(push.flange, mass[1].a);
    annotation(experiment(StopTime = 100));
  end Chain;
end MassChain;
