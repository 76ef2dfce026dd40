package Grid "A square net of resistors with a capacitor to ground at each node, driven at one "
  + "corner"
  connector Pin
    Real v(unit = "V");
    flow Real i(unit = "A");
  end Pin;

  model Resistor
    parameter Real R(unit = "Ohm") = 1;
    Pin p, n;
  equation
    p.v - n.v = R*p.i;
    p.i + n.i = 0;
  end Resistor;

  model Capacitor "to ground"
    parameter Real C(unit = "F") = 1;
    Pin p;
    Real v(unit = "V", start = 0, fixed = true) = p.v;
  equation
    C*der(v) = p.i;
  end Capacitor;

  model Source
    Pin p;
  equation
    p.v = 1;
  end Source;

  model Connected
    parameter Integer n = 58 "nodes along an edge: n^2 capacitors, 2n(n-1) resistors";
    Capacitor c[n, n];
    Resistor right[n, n - 1], down[n - 1, n], feed;
    Source source;
  equation
    connect(source.p, feed.p);
    connect(feed.n, c[1, 1].p);
    for i in 1:n loop
      for j in 1:n - 1 loop
        connect(c[i, j].p, right[i, j].p);
        connect(right[i, j].n, c[i, j + 1].p);
        connect(c[j, i].p, down[j, i].p);
        connect(down[j, i].n, c[j + 1, i].p);
      end for;
    end for;
    annotation(experiment(StopTime = 100));
  end Connected;

  model Written "the same as equations of an array"
    parameter Integer n = 58;
    Real v[n, n](each start = 0, each fixed = true);
  equation
    for i in 1:n loop
      for j in 1:n loop
        der(v[i, j]) = (if i > 1 then v[max(i - 1, 1), j] - v[i,
          j] else 0) + (if i < n then v[min(i + 1, n), j] - v[i, j] else 0)
          + (if j > 1 then v[i, max(j - 1, 1)] - v[i, j] else 0) + (if j < n then v[i, min(j + 1,
            n)] - v[i, j] else 0)
          + (if i == 1 and j == 1 then 1 - v[1, 1] else 0);
      end for;
    end for;
    annotation(experiment(StopTime = 100));
  end Written;
end Grid;
