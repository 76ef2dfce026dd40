// expect error F002 line 13 with one is expandable
package ExpandableMixed
  connector C
    Real x;
    flow Real f;
  end C;
  expandable connector Bus
  end Bus;
  model Test
    C c;
    Bus bus;
  equation
    connect(c, bus);
    c.x = 1;
  end Test;
end ExpandableMixed;
// model ExpandableMixed.Test
