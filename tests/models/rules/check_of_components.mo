// A component is checked as a class: its use gives it a medium, an inner component and a clock.
// expect ok
package check_of_components
  partial package PartialMedium
    type Pressure = Real;
    replaceable partial function density
      input Pressure p;
      output Real d;
    end density;
  end PartialMedium;
  connector Port
    Real p;
    flow Real m;
  end Port;
  connector Signal
    input Boolean u;
  end Signal;
  partial model Surroundings
    Real level;
  end Surroundings;
  model Step
    outer Surroundings surroundings;
    Signal signal;
    Boolean y = signal.u and surroundings.level > 0;
  end Step;
  block Sampler
    input Real u;
    output Real y;
  equation
    y = sample(u);
  end Sampler;
  model Volume
    replaceable package Medium = PartialMedium;
    Port port;
    Medium.Pressure p = port.p;
    Real m;
  equation
    m = Medium.density(p);
    der(m) = port.m;
  end Volume;
end check_of_components;
// model check_of_components.Volume
