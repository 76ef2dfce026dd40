// A bus with a nested one, completed from connections in three places; unused elements disappear.
// expect y1(2.0) = 2 ± 1e-9
// expect y2(2.0) = 6 ± 1e-9
// expect v2(2.0) = 12 ± 1e-9
// options --stop-time 2
// expect flat Real 'bus.sub.force';
package Expandable
  connector In = input Real;
  connector Out = output Real;
  expandable connector Bus
    SubBus sub;
    Real never "declared, but not used";
  end Bus;
  expandable connector SubBus
  end SubBus;
  block Gain
    parameter Real k = 1;
    In u;
    Out y;
  equation
    y = k*u;
  end Gain;
  block Ramp
    Out y;
  equation
    y = time;
  end Ramp;
  model Source
    Bus bus;
    Ramp ramp;
    Gain three(k = 3);
    Gain v[2](k = {5, 6});
  equation
    connect(ramp.y, bus.speed);
    connect(ramp.y, three.u);
    connect(three.y, bus.sub.force);
    for i in 1:2 loop
      connect(ramp.y, v[i].u);
      connect(v[i].y, bus.vector[i]);
    end for;
  end Source;
  model User
    Bus bus;
    Gain speed, force, element;
  equation
    connect(bus.speed, speed.u);
    connect(bus.sub.force, force.u);
    connect(bus.vector[2], element.u);
  end User;
  model Test
    Bus bus;
    Source source;
    User user;
    Real y1 = user.speed.y, y2 = user.force.y, v2 = user.element.y;
  equation
    connect(source.bus, bus);
    connect(bus, user.bus);
  end Test;
end Expandable;
// model Expandable.Test
