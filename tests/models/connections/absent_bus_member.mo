// If a conditional connector is absent, so is its connection. This holds also if an expandable
// connector gets the member only from it, or if a subscript is then out of range (sections 4.4.5
// and 9.1.3).
// expect y(1) = 1 ± 1e-9
package AbsentBusMember
  connector In = input Real;
  connector Out = output Real;
  expandable connector Bus
  end Bus;
  model Machine
    parameter Boolean with_heat = false;
    Bus bus;
    In ambient if with_heat;
    In other if with_heat;
    Out heat[if with_heat then 2 else 1];
    Out power;
  equation
    connect(ambient, bus.ambient);
    connect(bus.other, other);
    connect(bus.power, power);
    connect(other, heat[2]);
    heat[1] = 5;
  end Machine;
  block Ramp
    Out y;
  equation
    y = time;
  end Ramp;
  model Test
    Machine m;
    Ramp r;
    Bus bus;
    Real y = m.power;
  equation
    connect(m.bus, bus);
    connect(r.y, bus.power);
  end Test;
end AbsentBusMember;
