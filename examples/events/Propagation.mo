package Propagation "An event passes through components in one instant, in the right order"
  connector In = input Boolean;
  connector Out = output Boolean;
  block Gate "1993: a = b and c or d"
    In b, c, d;
    Out a = b and c or d;
  end Gate;
  model Chain
    Gate g1(b = time > 1, c = true, d = false), g2(c = true, d = false), g3(c = time > 0.5,
      d = false);
    Integer n(start = 0, fixed = true);
  equation
    connect(g1.a, g2.b);
    connect(g2.a, g3.b);
    when g3.a then
      n = pre(n) + 1;
    end when;
    annotation(experiment(StopTime = 2));
  end Chain;
  model Event "1999: an event as a Boolean that changes"
    Boolean e(start = false, fixed = true);
    Integer seen(start = 0, fixed = true);
  equation
    when sample(0.5, 0.5) then
      e = not pre(e);
    end when;
    when change(e) then
      seen = pre(seen) + 1;
    end when;
    annotation(experiment(StopTime = 2.2));
  end Event;
  model Both
    Chain chain;
    Event event;
    annotation(experiment(StopTime = 2.2));
  end Both;
end Propagation;
// model Propagation.Both
// expect event 1
// expect chain.g3.a(0.99) = 0
// expect chain.g3.a(1) = 1
// expect chain.n(2) = 1
// expect event.seen(2.2) = 4
