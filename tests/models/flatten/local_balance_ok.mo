// Inputs, flows, protected connectors, bindings from outside and inside, arrays and conditional
// connectors: all are balanced.
// model LocalBalance.Top
// expect ok
package LocalBalance
  connector In = input Real;
  connector Out = output Real;
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  block Gain
    In u;
    Out y;
  equation
    y = 2*u;
  end Gain;
  model Resistor
    Pin p, n;
    parameter Boolean use = false;
    In r = rInternal if use;
  protected
    Real rInternal;
  equation
    if not use then
      rInternal = 1;
    end if;
    p.i + n.i = 0;
    p.v - n.v = rInternal*p.i;
  end Resistor;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  model Inside
    Pin p;
    Resistor r[2](each use = true);
    Gain g[2](u = {time, 1});
  protected
    Pin middle;
  equation
    connect(p, r[1].p);
    connect(r[1].n, middle);
    connect(middle, r[2].p);
    connect(g.y, r.r);
  end Inside;
  model Top
    Inside inside;
    Resistor load, unconnected;
    Ground ground;
    Gain by_equation;
  equation
    connect(inside.p, load.p);
    connect(load.n, ground.p);
    connect(unconnected.p, ground.p);
    by_equation.u = time;
  end Top;
end LocalBalance;
