// A bus with a flange that only one component uses: the other one takes no torque.
// expect driver.body.v(1) = 2 ± 1e-6
package BusWithFlange
  connector Flange
    Real s;
    flow Real f;
  end Flange;
  expandable connector Bus
    Flange pedal, wheel;
  end Bus;
  model Body
    Flange a;
    Real v(start = 0, fixed = true);
  equation
    v = der(a.s);
    der(v) = 2 + a.f;
  initial equation
    a.s = 0;
  end Body;
  model Clamp
    Flange a;
  equation
    a.s = time;
  end Clamp;
  model Driver
    Bus bus;
    Body body;
    Clamp clamp;
  equation
    connect(body.a, bus.wheel);
    connect(clamp.a, bus.pedal);
  end Driver;
  model Spring
    Flange a;
  equation
    a.f = 3*a.s;
  end Spring;
  model Environment
    Bus bus;
    Spring spring;
  equation
    connect(spring.a, bus.pedal);
  end Environment;
  model M
    Driver driver;
    Environment environment;
  equation
    connect(driver.bus, environment.bus);
  end M;
end BusWithFlange;
