// The number of connections of a connector, each element of an array counted for itself.
// expect n1(0.0) = 2 ± 0
// expect n2(0.0) = 1 ± 0
// expect alone(0.0) = 0 ± 0
package Cardinality
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Part
    Pin p;
    Real n = cardinality(p);
    Real w;
  equation
    if cardinality(p) == 0 then
      p.v = 0;
      w = 1;
    else
      w = p.v;
      if cardinality(p) == 2 then
        p.v = 3;
      else
        p.i = 0;
      end if;
    end if;
  end Part;
  model Test
    Part part[3];
    Real n1 = part[1].n, n2 = part[2].n, alone = part[3].n;
    Part end_;
  equation
    connect(part[1].p, part[2].p);
    connect(part[1].p, end_.p);
  end Test;
end Cardinality;
// model Cardinality.Test
