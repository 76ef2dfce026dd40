// expect error F013 with has readers but no source
package NoSource
  expandable connector Bus
  end Bus;
  connector In = input Real;
  model Taker
    In u;
    Real y = 2*u;
  end Taker;
  model Test
    Bus bus;
    Taker taker(u = 1);
  equation
    connect(bus.u, taker.u);
  end Test;
end NoSource;
// model NoSource.Test
