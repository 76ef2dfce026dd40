// Chapter 9.
// options --all
package ConnectionsRejected
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  connector Flange
    Real phi;
    flow Real tau;
  end Flange;
  connector Swapped
    flow Real v;
    Real i;
  end Swapped;
  connector In = input Real;
  connector Out = output Real;
  connector IntOut = output Integer;
  connector BoolIn = input Boolean;
  model Element
    Pin p, n;
    Real x;
  equation
    p.i + n.i = 0;
    p.v - n.v = x;
    x = p.i;
  end Element;
  block Gain
    In u;
    Out y;
  equation
    y = 2*u;
  end Gain;
  model Types
    Element e;
    Pin p;
    Flange f;
    Swapped s;
    Gain g;
  equation
    connect(p, f); // error F002
    connect(e.p, s); // error F002
    connect(p, g.u); // error F002
    connect(e, p); // error F002
    connect(e.x, p.v); // error F002
    connect(p, q); // error I001 with 'q'
  end Types;
  model Causality
    Gain g1, g2, g3;
  equation
    connect(g1.y, g2.y); // error F002
    connect(g1.u, g3.u); 
  end Causality;
  model Kinds
    IntOut n = 1;
    BoolIn b;
  equation
    connect(n, b); // error F002
  end Kinds;
  model TooDeep
    model Box
      Element e;
    end Box;
    Box box;
    Element e;
  equation
    connect(box.e.p, e.p); // error F002
  end TooDeep;
  model InWhen
    Element e, f;
  equation
    when time > 1 then
      connect(e.p, f.p); // error F003
    end when;
  end InWhen;
  model InIf
    Element e, f;
  equation
    if time > 1 then // error I014
      connect(e.p, f.p);
    end if;
  end InIf;
  model Sizes
    Element e[3], f[2];
  equation
    connect(e.p, f.p); // error F002
    connect(e[1:2].n, f[1].p); // error F002
    connect(e[4].n, f[1].p); // error I109
  end Sizes;
  model Parameter
    parameter Pin p; // error F002
  end Parameter;
end ConnectionsRejected;
