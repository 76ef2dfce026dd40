model Gears "Two inertias coupled by an ideal gear: index 2, reduced to one speed"
  connector Flange
    Real phi(unit = "rad") "angle";
    flow Real tau(unit = "N.m") "torque";
  end Flange;
  model Inertia
    Flange a, b;
    parameter Real J(unit = "kg.m2") = 1;
    Real phi(unit = "rad"), w(unit = "rad/s");
  equation
    phi = a.phi;
    phi = b.phi;
    w = der(phi);
    J*der(w) = a.tau + b.tau;
  end Inertia;
  model IdealGear
    Flange a, b;
    parameter Real ratio = 1 "turns of a per turn of b";
  equation
    a.phi = ratio*b.phi;
    0 = ratio*a.tau + b.tau;
  end IdealGear;
  model Torque
    Flange flange;
    parameter Real tau = 1;
  equation
    flange.tau = -tau;
  end Torque;

  Torque drive(tau = 2);
  Inertia motor(J = 0.5, phi(start = 0, fixed = true), w(start = 1, fixed = true));
  IdealGear gear(ratio = 3);
  Inertia load(J = 4.5);
equation
  connect(drive.flange, motor.a);
  connect(motor.b, gear.a);
  connect(gear.b, load.a);
  annotation(experiment(StopTime = 2));
end Gears;

// Seen from the motor the inertia is 0.5 + 4.5/9 = 1: w = 1 + 2 t, phi = t + t^2.
// solvers cvode dopri5 rk4 euler
// expect motor.w(2) = 5 ± 1e-6
// expect motor.phi(2) = 6 ± 1e-6 [euler 1e-2]
// expect load.w(2) = 5/3 ± 1e-6
// expect gear.a.tau(1) = 1 ± 1e-6
// expect load.phi(1) = 2/3 ± 1e-6 [euler 5e-3]
