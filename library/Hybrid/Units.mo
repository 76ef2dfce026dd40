within Hybrid;
package Units "Quantities with their units"
  type Time = Real(final quantity="Time", final unit="s");
  type Angle = Real(final quantity="Angle", final unit="rad");
  type AngularVelocity = Real(final quantity="AngularVelocity", final unit="rad/s");
  type AngularAcceleration = Real(final quantity="AngularAcceleration", final unit="rad/s2");
  type Position = Real(final quantity="Length", final unit="m");
  type Velocity = Real(final quantity="Velocity", final unit="m/s");
  type Acceleration = Real(final quantity="Acceleration", final unit="m/s2");
  type Mass = Real(final quantity="Mass", final unit="kg", min=0);
  type Inertia = Real(final quantity="MomentOfInertia", final unit="kg.m2", min=0);
  type Force = Real(final quantity="Force", final unit="N");
  type Torque = Real(final quantity="Torque", final unit="N.m");
  type Stiffness = Real(final quantity="TranslationalSpringConstant", final unit="N/m", min=0);
  type Damping = Real(final quantity="TranslationalDampingConstant", final unit="N.s/m", min=0);
  type RotationalStiffness = Real(final quantity="RotationalSpringConstant", final unit="N.m/rad",
    min=0);
  type RotationalDamping = Real(final quantity="RotationalDampingConstant", final unit="N.m.s/rad",
    min=0);
  type Voltage = Real(final quantity="ElectricPotential", final unit="V");
  type Current = Real(final quantity="ElectricCurrent", final unit="A");
  type Resistance = Real(final quantity="Resistance", final unit="Ohm");
  type Conductance = Real(final quantity="Conductance", final unit="S");
  type Capacitance = Real(final quantity="Capacitance", final unit="F", min=0);
  type Inductance = Real(final quantity="Inductance", final unit="H", min=0);
  type Frequency = Real(final quantity="Frequency", final unit="Hz");
  type TorqueConstant = Real(final quantity="ElectricalTorqueConstant", final unit="N.m/A");
  type Temperature = Real(final quantity="ThermodynamicTemperature", final unit="K");
  annotation (Documentation(info="<html><p>Types for parameters and variables of this "
    + "library.</p></html>"));
end Units;
