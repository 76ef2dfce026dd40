within Hybrid;
package Examples "One runnable model for each idea"
  package Circuits "Ideal switching elements"
    model Rectifier "A diode, a capacitor and a load"
      extends Icons.Example;
      Electrical.SineVoltage source(V=1, f=50)
        annotation (Placement(transformation(origin={-70,0}, extent={{-10,-10},{10,10}},
        rotation=-90)));
      Electrical.Resistor Ri(R=10)
        annotation (Placement(transformation(extent={{-45,10},{-25,30}})));
      Electrical.Diode diode annotation (Placement(transformation(extent={{-5,10},{15,30}})));
      Electrical.Capacitor C(C=0.001, v(fixed=true))
        annotation (Placement(transformation(origin={40,0}, extent={{-10,-10},{10,10}},
        rotation=-90)));
      Electrical.Resistor RL(R=50) annotation (Placement(transformation(origin={75,0},
        extent={{-10,-10},{10,10}}, rotation=-90)));
      Electrical.Ground ground annotation (Placement(transformation(extent={{-80,-50},{-60,-30}})));
    equation
      connect(source.p, Ri.p) annotation (Line(points={{-70,10},{-70,20},{-45,20}},
        color={0,0,255}));
      connect(Ri.n, diode.p) annotation (Line(points={{-25,20},{-5,20}}, color={0,0,255}));
      connect(diode.n, C.p) annotation (Line(points={{15,20},{40,20},{40,10}}, color={0,0,255}));
      connect(C.p, RL.p) annotation (Line(points={{40,10},{40,20},{75,20},{75,10}},
        color={0,0,255}));
      connect(C.n, source.n) annotation (Line(points={{40,-10},{40,-20},{-70,-20},{-70,-10}},
        color={0,0,255}));
      connect(RL.n, source.n) annotation (Line(points={{75,-10},{75,-20},{-70,-20},{-70,-10}},
        color={0,0,255}));
      connect(ground.p, source.n) annotation (Line(points={{-70,-30},{-70,-10}}, color={0,0,255}));
      annotation (experiment(StopTime=0.1, Tolerance=1e-8));
    end Rectifier;

    model Bridge "Four diodes"
      extends Icons.Example;
      Electrical.SineVoltage source(V=20, f=50)
        annotation (Placement(transformation(origin={-80,0}, extent={{-10,-10},{10,10}},
        rotation=-90)));
      Electrical.Resistor Ri(R=0.5)
        annotation (Placement(transformation(extent={{-65,10},{-45,30}})));
      Electrical.Diode D1 annotation (Placement(transformation(origin={-20,30},
        extent={{-10,-10},{10,10}}, rotation=90)));
      Electrical.Diode D2 annotation (Placement(transformation(origin={-20,-30},
        extent={{-10,-10},{10,10}}, rotation=90)));
      Electrical.Diode D3 annotation (Placement(transformation(origin={10,30},
        extent={{-10,-10},{10,10}}, rotation=90)));
      Electrical.Diode D4 annotation (Placement(transformation(origin={10,-30},
        extent={{-10,-10},{10,10}}, rotation=90)));
      Electrical.Capacitor C(C=0.001, v(fixed=true))
        annotation (Placement(transformation(origin={45,0}, extent={{-10,-10},{10,10}},
        rotation=-90)));
      Electrical.Resistor R(R=50) annotation (Placement(transformation(origin={80,0},
        extent={{-10,-10},{10,10}}, rotation=-90)));
      Electrical.Ground ground annotation (Placement(transformation(extent={{35,-90},{55,-70}})));
    equation
      connect(source.p, Ri.p) annotation (Line(points={{-80,10},{-80,20},{-65,20}},
        color={0,0,255}));
      connect(Ri.n, D1.p) annotation (Line(points={{-45,20},{-20,20}}, color={0,0,255}));
      connect(Ri.n, D2.n) annotation (Line(points={{-45,20},{-20,20},{-20,-20}}, color={0,0,255}));
      connect(source.n, D3.p) annotation (Line(points={{-80,-10},{-80,-15},{10,-15},{10,20}},
        color={0,0,255}));
      connect(source.n, D4.n) annotation (Line(points={{-80,-10},{-80,-15},{10,-15},{10,-20}},
        color={0,0,255}));
      connect(D1.n, C.p) annotation (Line(points={{-20,40},{-20,50},{45,50},{45,10}},
        color={0,0,255}));
      connect(D3.n, C.p) annotation (Line(points={{10,40},{10,50},{45,50},{45,10}},
        color={0,0,255}));
      connect(D2.p, C.n) annotation (Line(points={{-20,-40},{-20,-50},{45,-50},{45,-10}},
        color={0,0,255}));
      connect(D4.p, C.n) annotation (Line(points={{10,-40},{10,-50},{45,-50},{45,-10}},
        color={0,0,255}));
      connect(R.p, C.p) annotation (Line(points={{80,10},{80,50},{45,50},{45,10}},
        color={0,0,255}));
      connect(R.n, C.n) annotation (Line(points={{80,-10},{80,-50},{45,-50},{45,-10}},
        color={0,0,255}));
      connect(ground.p, C.n) annotation (Line(points={{45,-70},{45,-10}}, color={0,0,255}));
      annotation (experiment(StopTime=0.1, Tolerance=1e-8));
    end Bridge;

    model Thyristor "Fired at 60 degrees into a resistor and an inductor"
      extends Icons.Example;
      Electrical.SineVoltage source(V=10, f=50)
        annotation (Placement(transformation(origin={-60,0}, extent={{-10,-10},{10,10}},
        rotation=-90)));
      Electrical.Thyristor thyristor
        annotation (Placement(transformation(extent={{-35,10},{-15,30}})));
      Electrical.Resistor R(R=10) annotation (Placement(transformation(extent={{5,10},{25,30}})));
      Electrical.Inductor L(L=0.02) annotation (Placement(transformation(origin={50,0},
        extent={{-10,-10},{10,10}}, rotation=-90)));
      Electrical.Ground ground annotation (Placement(transformation(extent={{-70,-50},{-50,-30}})));
    equation
      thyristor.fire = time >= 1/300 and time < 1/300 + 1e-4;
      connect(source.p, thyristor.p) annotation (Line(points={{-60,10},{-60,20},{-35,20}},
        color={0,0,255}));
      connect(thyristor.n, R.p) annotation (Line(points={{-15,20},{5,20}}, color={0,0,255}));
      connect(R.n, L.p) annotation (Line(points={{25,20},{50,20},{50,10}}, color={0,0,255}));
      connect(L.n, source.n) annotation (Line(points={{50,-10},{50,-20},{-60,-20},{-60,-10}},
        color={0,0,255}));
      connect(ground.p, source.n) annotation (Line(points={{-60,-30},{-60,-10}}, color={0,0,255}));
      annotation (experiment(StopTime=0.02, Tolerance=1e-8));
    end Thyristor;

    model DiodeInductor "A diode in series with an inductor: the number of states changes"
      extends Icons.Example;
      Electrical.SineVoltage source(V=10, f=50)
        annotation (Placement(transformation(origin={-70,0}, extent={{-10,-10},{10,10}},
        rotation=-90)));
      Electrical.Inductor L(L=0.01)
        annotation (Placement(transformation(extent={{-45,10},{-25,30}})));
      Electrical.Diode diode annotation (Placement(transformation(extent={{-5,10},{15,30}})));
      Electrical.Capacitor C(C=0.001, v(fixed=true))
        annotation (Placement(transformation(origin={40,0}, extent={{-10,-10},{10,10}},
        rotation=-90)));
      Electrical.Resistor R(R=50) annotation (Placement(transformation(origin={75,0},
        extent={{-10,-10},{10,10}}, rotation=-90)));
      Electrical.Ground ground annotation (Placement(transformation(extent={{-80,-50},{-60,-30}})));
    equation
      connect(source.p, L.p) annotation (Line(points={{-70,10},{-70,20},{-45,20}},
        color={0,0,255}));
      connect(L.n, diode.p) annotation (Line(points={{-25,20},{-5,20}}, color={0,0,255}));
      connect(diode.n, C.p) annotation (Line(points={{15,20},{40,20},{40,10}}, color={0,0,255}));
      connect(R.p, C.p) annotation (Line(points={{75,10},{75,20},{40,20},{40,10}},
        color={0,0,255}));
      connect(C.n, source.n) annotation (Line(points={{40,-10},{40,-20},{-70,-20},{-70,-10}},
        color={0,0,255}));
      connect(R.n, source.n) annotation (Line(points={{75,-10},{75,-20},{-70,-20},{-70,-10}},
        color={0,0,255}));
      connect(ground.p, source.n) annotation (Line(points={{-70,-30},{-70,-10}}, color={0,0,255}));
      annotation (experiment(StopTime=0.2, Tolerance=1e-8));
    end DiodeInductor;

    model Buck "A power converter: a switch, a diode, an inductor"
      extends Icons.Example;
      Electrical.ConstantVoltage source(V=24)
        annotation (Placement(transformation(origin={-85,0}, extent={{-10,-10},{10,10}},
        rotation=-90)));
      Electrical.Switch switch annotation (Placement(transformation(extent={{-65,10},{-45,30}})));
      Electrical.Diode diode annotation (Placement(transformation(origin={-25,0},
        extent={{-10,-10},{10,10}}, rotation=90)));
      Electrical.Inductor L(L=1e-4, i(fixed=true))
        annotation (Placement(transformation(extent={{-5,10},{15,30}})));
      Electrical.Capacitor C(C=1e-4, v(fixed=true))
        annotation (Placement(transformation(origin={40,0}, extent={{-10,-10},{10,10}},
        rotation=-90)));
      Electrical.Resistor R(R=5) annotation (Placement(transformation(origin={75,0},
        extent={{-10,-10},{10,10}}, rotation=-90)));
      Electrical.Ground ground annotation (Placement(transformation(extent={{-95,-50},{-75,-30}})));
      Blocks.PWM pwm(period=1e-5)
        annotation (Placement(transformation(extent={{-95,45},{-75,65}})));
    equation
      pwm.u = 0.5;
      connect(pwm.y, switch.closed) annotation (Line(points={{-74,55},{-55,55},{-55,30}},
        color={0,0,127}));
      connect(source.p, switch.p) annotation (Line(points={{-85,10},{-85,20},{-65,20}},
        color={0,0,255}));
      connect(switch.n, L.p) annotation (Line(points={{-45,20},{-5,20}}, color={0,0,255}));
      connect(diode.n, L.p) annotation (Line(points={{-25,10},{-25,20},{-5,20}}, color={0,0,255}));
      connect(L.n, C.p) annotation (Line(points={{15,20},{40,20},{40,10}}, color={0,0,255}));
      connect(R.p, C.p) annotation (Line(points={{75,10},{75,20},{40,20},{40,10}},
        color={0,0,255}));
      connect(C.n, source.n) annotation (Line(points={{40,-10},{40,-20},{-85,-20},{-85,-10}},
        color={0,0,255}));
      connect(R.n, source.n) annotation (Line(points={{75,-10},{75,-20},{-85,-20},{-85,-10}},
        color={0,0,255}));
      connect(diode.p, source.n) annotation (Line(points={{-25,-10},{-25,-20},{-85,-20},{-85,-10}},
        color={0,0,255}));
      connect(ground.p, source.n) annotation (Line(points={{-85,-30},{-85,-10}}, color={0,0,255}));
      annotation (experiment(StopTime=0.005, Tolerance=1e-6));
    end Buck;

    model Amplifier "An op-amp as an integrator"
      extends Icons.Example;
      Electrical.ConstantVoltage source(V=1)
        annotation (Placement(transformation(origin={-65,0}, extent={{-10,-10},{10,10}},
        rotation=-90)));
      Electrical.Resistor R(R=1000)
        annotation (Placement(transformation(extent={{-45,10},{-25,30}})));
      Electrical.Capacitor C(C=1e-3, v(fixed=true))
        annotation (Placement(transformation(extent={{10,40},{30,60}})));
      Electrical.OpAmp opAmp annotation (Placement(transformation(extent={{10,5},{30,25}})));
      Electrical.Ground ground annotation (Placement(transformation(extent={{-20,-50},{0,-30}})));
    equation
      connect(source.p, R.p) annotation (Line(points={{-65,10},{-65,20},{-45,20}},
        color={0,0,255}));
      connect(R.n, opAmp.minus) annotation (Line(points={{-25,20},{10,20}}, color={0,0,255}));
      connect(C.p, opAmp.minus) annotation (Line(points={{10,50},{0,50},{0,20},{10,20}},
        color={0,0,255}));
      connect(C.n, opAmp.out) annotation (Line(points={{30,50},{30,15}}, color={0,0,255}));
      connect(opAmp.plus, ground.p) annotation (Line(points={{10,10},{-10,10},{-10,-30}},
        color={0,0,255}));
      connect(source.n, ground.p) annotation (Line(points={{-65,-10},{-65,-20},{-10,-20},{-10,-30}},
        color={0,0,255}));
      annotation (experiment(StopTime=1));
    end Amplifier;
  end Circuits;

  package Machines "Friction, clutches, impacts"
    model BlockWithFriction "A block on a rough ground, pulled back and forth"
      extends Icons.Example;
      Mechanics.Translational.Mass body(m=1, s(fixed=true), v(fixed=true))
        annotation (Placement(transformation(extent={{-30,-10},{-10,10}})));
      Mechanics.Translational.Friction friction(f0=1, f1=0.1)
        annotation (Placement(transformation(extent={{30,-10},{10,10}})));
      Mechanics.Translational.Fixed ground
        annotation (Placement(transformation(extent={{45,-10},{65,10}})));
      Mechanics.Translational.Force force
        annotation (Placement(transformation(extent={{-70,-10},{-50,10}})));
    equation
      force.u = 2*sin(time);
      connect(force.b, body.a) annotation (Line(points={{-50,0},{-30,0}}, color={0,127,0}));
      connect(body.b, friction.b) annotation (Line(points={{-10,0},{10,0}}, color={0,127,0}));
      connect(friction.a, ground.a) annotation (Line(points={{30,0},{55,0}}, color={0,127,0}));
      annotation (experiment(StopTime=10, Tolerance=1e-8));
    end BlockWithFriction;

    model Clutch "Two wheels, coupled rigidly for a second"
      extends Icons.Example;
      Mechanics.Rotational.Inertia J1(J=1, w(start=10, fixed=true), phi(fixed=true))
        annotation (Placement(transformation(extent={{-30,-10},{-10,10}})));
      Mechanics.Rotational.Inertia J2(J=2, w(fixed=true), phi(fixed=true))
        annotation (Placement(transformation(extent={{50,-10},{70,10}})));
      Mechanics.Rotational.Clutch clutch
        annotation (Placement(transformation(extent={{10,-10},{30,10}})));
      Mechanics.Rotational.Torque torque
        annotation (Placement(transformation(extent={{-70,-10},{-50,10}})));
    equation
      torque.u = 1;
      clutch.engaged = time >= 1 and time < 2;
      connect(torque.b, J1.a) annotation (Line(points={{-50,0},{-30,0}}, color={0,0,0}));
      connect(J1.b, clutch.a) annotation (Line(points={{-10,0},{10,0}}, color={0,0,0}));
      connect(clutch.b, J2.a) annotation (Line(points={{30,0},{50,0}}, color={0,0,0}));
      annotation (experiment(StopTime=3, Tolerance=1e-8));
    end Clutch;

    model Staircase "A ball that bounces down a staircase"
      extends Icons.Example;
      parameter Real e = 0.8 "Restitution";
      parameter Units.Position run = 1, rise = 0.4;
      constant Units.Acceleration g = 9.81;
      Units.Position x(start=0.1, fixed=true), h(start=0.6, fixed=true)
        "Place and height of the ball";
      Units.Velocity v(start=0, fixed=true), u(start=0.9, fixed=true)
        "Its velocities, up and along";
      Integer step "Stair below it";
      Units.Position floor_ "Height of that stair";
      Integer bounces(start=0, fixed=true);
    equation
      der(x) = u;
      der(h) = v;
      der(u) = 0;
      der(v) = -g;
      step = integer(x/run);
      floor_ = -rise*step;
      when h <= floor_ then
        reinit(v, -e*pre(v));
        bounces = pre(bounces) + 1;
      end when;
      annotation (Diagram(graphics={
        Line(points={{-100,40},{-60,40},{-60,10},{-20,10},{-20,-20},{20,-20},{20,-50},{60,-50}},
          thickness=0.5),
        Line(points={{-90,60},{-80,66},{-66,10},{-50,45},{-36,10},{-18,30},{0,-20},{20,5},{34,-50}},
          color={0,114,178}, pattern=LinePattern.Dash, smooth=Smooth.None),
        Ellipse(extent={{-96,66},{-84,54}}, lineColor={0,114,178}, fillColor={86,180,233},
          fillPattern=FillPattern.Sphere)}),
        experiment(StopTime=4, Tolerance=1e-8));
    end Staircase;

    model GearShift "A drive with two gears and a clutch that slips"
      extends Icons.Example;
      Mechanics.Rotational.Inertia engine(J=0.2, w(start=100, fixed=true), phi(fixed=true))
        annotation (Placement(transformation(extent={{-65,-10},{-45,10}})));
      Mechanics.Rotational.Inertia vehicle(J=20, w(fixed=true), phi(fixed=true))
        annotation (Placement(transformation(extent={{55,-10},{75,10}})));
      Mechanics.Rotational.FrictionClutch first(tauMax=60)
        annotation (Placement(transformation(extent={{-25,15},{-5,35}}))), second(tauMax=60)
        annotation (Placement(transformation(extent={{-25,-35},{-5,-15}})));
      Mechanics.Rotational.Gear gear1(ratio=4)
        annotation (Placement(transformation(extent={{15,15},{35,35}}))), gear2(ratio=2)
        annotation (Placement(transformation(extent={{15,-35},{35,-15}})));
      Mechanics.Rotational.Torque torque
        annotation (Placement(transformation(extent={{-100,-10},{-80,10}})));
    equation
      torque.u = 20;
      first.u = if time < 3 then min(1, time/1) else 0;
      second.u = if time < 3 then 0 else min(1, (time - 3)/1);
      connect(torque.b, engine.a) annotation (Line(points={{-80,0},{-65,0}}, color={0,0,0}));
      connect(engine.b, first.a) annotation (Line(points={{-45,0},{-35,0},{-35,25},{-25,25}},
        color={0,0,0}));
      connect(engine.b, second.a) annotation (Line(points={{-45,0},{-35,0},{-35,-25},{-25,-25}},
        color={0,0,0}));
      connect(first.b, gear1.a) annotation (Line(points={{-5,25},{15,25}}, color={0,0,0}));
      connect(second.b, gear2.a) annotation (Line(points={{-5,-25},{15,-25}}, color={0,0,0}));
      connect(gear1.b, vehicle.a) annotation (Line(points={{35,25},{45,25},{45,0},{55,0}},
        color={0,0,0}));
      connect(gear2.b, vehicle.a) annotation (Line(points={{35,-25},{45,-25},{45,0},{55,0}},
        color={0,0,0}));
      annotation (experiment(StopTime=6, Tolerance=1e-6));
    end GearShift;

    model Arm "Six joints in a row, each with inertia and friction, falling to rest"
      extends Icons.Example;
      parameter Integer n = 6 "Number of joints";
      parameter Units.Inertia J[n] = fill(1, n) "Inertia of each link";
      parameter Units.Torque friction[n] = fill(0.3, n) "Friction of each joint";
      parameter Real c = 2 "Torque of gravity on each link, per radian of its angle";
      Mechanics.Rotational.Inertia link[n](J=J, each w(fixed=true), phi(each fixed=true, start={1,
        0.8, 0.6, 0.4, 0.2, 0.1})) annotation (Placement(transformation(extent={{0,-10},{20,10}})));
      Mechanics.Rotational.Friction joint[n](tauMax=friction)
        annotation (Placement(transformation(extent={{-40,-10},{-20,10}})));
      Mechanics.Rotational.Fixed ground
        annotation (Placement(transformation(extent={{-75,-10},{-55,10}})));
      Mechanics.Rotational.Torque gravity[n]
        annotation (Placement(transformation(extent={{60,-10},{40,10}})));
      Real energy "Of motion and height";
    equation
      connect(ground.a, joint[1].a) annotation (Line(points={{-65,0},{-40,0}}, color={0,0,0}));
      for k in 1:n loop
        connect(joint[k].b, link[k].a) annotation (Line(points={{-20,0},{0,0}}, color={0,0,0}));
        connect(gravity[k].b, link[k].b) annotation (Line(points={{40,0},{20,0}}, color={0,0,0}));
        gravity[k].u = -c*link[k].phi;
        if k < n then
          connect(link[k].b, joint[k + 1].a)
            annotation (Line(points={{20,0},{24,0},{24,25},{-44,25},{-44,0},{-40,0}},
            color={0,0,0}));
        end if;
      end for;
      energy = sum(J[k]*link[k].w^2/2 + c*link[k].phi^2/2 for k in 1:n);
      annotation (experiment(StopTime=30, Tolerance=1e-7));
    end Arm;

    model Hopper "Raibert's hopper: a body on a springy leg, thrust on the ground"
      extends Icons.Example;
      parameter Units.Mass m = 1 "Body";
      parameter Units.Stiffness c = 400 "Leg";
      parameter Units.Damping d = 3 "Leg";
      parameter Units.Position leg = 1 "Length of the leg";
      parameter Units.Force thrust = 12 "Added while the leg stretches on the ground";
      constant Units.Acceleration g = 9.81;
      Units.Position h(start=1.5, fixed=true) "Height of the body";
      Units.Velocity v(start=0, fixed=true);
      Boolean ground(start=false, fixed=true) "The foot is on the ground";
      Boolean pushing(start=false, fixed=true) "The leg stretches";
      Integer hops(start=0, fixed=true);
    equation
      der(h) = v;
      m*der(v) = -m*g + (if ground then c*(leg - h) - d*v + (if pushing then thrust else 0) else 0);
      ground = h < leg;
      pushing = ground and v > 0;
      when not ground then
        hops = pre(hops) + 1;
      end when;
      annotation (Diagram(graphics={
        Line(points={{-60,-60},{60,-60}}, thickness=0.5),
        Rectangle(extent={{-20,40},{20,20}}, lineColor={95,95,95}, fillColor={215,215,215},
          fillPattern=FillPattern.HorizontalCylinder, radius=4),
        Line(points={{0,20},{0,10},{-8,5},{8,-5},{-8,-15},{8,-25},{-8,-35},{0,-40},{0,-54}},
          color={0,127,0}, thickness=0.5),
        Ellipse(extent={{-4,-52},{4,-60}}, fillColor={95,95,95}, fillPattern=FillPattern.Solid),
        Line(points={{40,-20},{40,30}}, color={0,114,178}, arrow={Arrow.Filled,Arrow.Filled}),
          Text(extent={{44,15},{64,-5}}, textString="h")}),
        experiment(StopTime=10, Tolerance=1e-8));
    end Hopper;
  end Machines;

  package WardLeonard "The drive of the 1993 guidelines: a motor drives a generator, which feeds "
    + "a motor"
    model Machine "Direct-current machine with a field winding and friction in its bearings"
      extends Icons.Element;
      parameter Units.Resistance Ra = 10 "Armature", Rf = 25 "Field";
      parameter Units.Inertia J = 0.05;
      parameter Real k = 0.5 "Flux for one ampere in the field";
      Electrical.Interfaces.Pin armature "Its other end is grounded"
        annotation (Placement(transformation(extent={{-10,90},{10,110}}))), field
        "Its other end is grounded"
        annotation (Placement(transformation(extent={{-110,-10},{-90,10}})));
      Mechanics.Rotational.Inertia rotor(J=J)
        annotation (Placement(transformation(extent={{10,-10},{30,10}})));
      Mechanics.Rotational.StickSlip bearing(tauC=2e-5, tauMax=5e-5, d=2e-4)
        annotation (Placement(transformation(extent={{70,-40},{50,-20}})));
      Mechanics.Rotational.Fixed ground
        annotation (Placement(transformation(extent={{80,-40},{100,-20}})));
      Mechanics.Rotational.Torque torque
        annotation (Placement(transformation(extent={{-30,-10},{-10,10}})));
      Mechanics.Rotational.Flange shaft
        annotation (Placement(transformation(extent={{90,-10},{110,10}})));
      Real psi "Flux";
    equation
      field.v = Rf*field.i;
      psi = k*field.i;
      armature.v = psi*rotor.w + Ra*armature.i;
      torque.u = psi*armature.i;
      connect(torque.b, rotor.a) annotation (Line(points={{-10,0},{10,0}}, color={0,0,0}));
      connect(rotor.b, shaft) annotation (Line(points={{30,0},{100,0}}, color={0,0,0}));
      connect(rotor.b, bearing.b) annotation (Line(points={{30,0},{40,0},{40,-30},{50,-30}},
        color={0,0,0}));
      connect(bearing.a, ground.a) annotation (Line(points={{70,-30},{90,-30}}, color={0,0,0}));
      annotation (Icon(graphics={Rectangle(extent={{50,10},{90,-10}}, lineColor={95,95,95},
        fillColor={215,215,215}, fillPattern=FillPattern.HorizontalCylinder),
        Ellipse(extent={{-60,60},{60,-60}}, lineColor={95,95,95}, fillColor={230,230,230},
          fillPattern=FillPattern.Solid), Text(extent={{-40,30},{40,-30}}, textString="M"),
        Line(points={{0,60},{0,90}}, color={0,0,255}), Line(points={{-90,0},{-60,0}},
          color={0,0,255})}));
    end Machine;

    block Controller "Sampled PI controller with limits and antiwindup"
      extends Blocks.SISO;
      parameter Real k = 0.06, T = 500, Tw = 0.01, yMax = 10;
      parameter Units.Time period = 0.1;
      discrete Real x(start=0, fixed=true);
    protected
      discrete Real raw;
    equation
      when sample(0, period) then
        raw = pre(x) + k*u;
        y = if raw > yMax then yMax elseif raw < -yMax then -yMax else raw;
        x = pre(x) + period*(k*u/T + Tw*(y - raw));
      end when;
      annotation (Icon(graphics={Text(extent={{-70,40},{70,-40}}, textString="PI")}));
    end Controller;

    model Drive "Position control of a load by a Ward-Leonard drive"
      extends Icons.Example;
      Machine mot1 annotation (Placement(transformation(extent={{-60,10},{-40,30}}))), gen
        annotation (Placement(transformation(extent={{5,10},{-15,30}}))), mot2
        annotation (Placement(transformation(extent={{35,10},{55,30}})));
      Electrical.ConstantVoltage source(V=25)
        annotation (Placement(transformation(origin={-85,20}, extent={{-10,-10},{10,10}},
        rotation=-90)));
      Electrical.SignalVoltage excitation
        annotation (Placement(transformation(origin={30,-20}, extent={{-10,-10},{10,10}},
        rotation=-90)));
      Electrical.Ground ground annotation (Placement(transformation(extent={{-95,-65},{-75,-45}})));
      Controller controller annotation (Placement(transformation(extent={{70,-30},{50,-10}})));
      Mechanics.Rotational.Torque torque "Of the load"
        annotation (Placement(transformation(extent={{95,10},{75,30}})));
      Units.Angle theta(start=0, fixed=true) "Of the load";
      Units.Angle reference = if time < 50 then 10 else 5;
      Units.Torque load = if time < 100 then 0 else 0.01;
      Units.Inertia J1 = if time < 100 then 0 else 0.05;
    equation
      connect(source.p, mot1.armature)
        annotation (Line(points={{-85,30},{-85,40},{-50,40},{-50,30}}, color={0,0,255}));
      connect(source.p, mot1.field)
        annotation (Line(points={{-85,30},{-85,40},{-66,40},{-66,20},{-60,20}}, color={0,0,255}));
      connect(source.p, mot2.field)
        annotation (Line(points={{-85,30},{-85,45},{28,45},{28,20},{35,20}}, color={0,0,255}));
      connect(source.n, ground.p) annotation (Line(points={{-85,10},{-85,-45}}, color={0,0,255}));
      connect(excitation.p, gen.field)
        annotation (Line(points={{30,-10},{30,5},{15,5},{15,20},{5,20}}, color={0,0,255}));
      connect(excitation.n, ground.p)
        annotation (Line(points={{30,-30},{30,-38},{-85,-38},{-85,-45}}, color={0,0,255}));
      connect(mot1.shaft, gen.shaft) "One rigid shaft"
        annotation (Line(points={{-40,20},{-15,20}}, color={0,0,0}));
      connect(gen.armature, mot2.armature)
        annotation (Line(points={{-5,30},{-5,40},{45,40},{45,30}}, color={0,0,255}));
      controller.u = reference - theta;
      connect(controller.y, excitation.u)
        annotation (Line(points={{49,-20},{40,-20}}, color={0,0,127}));
      der(theta) = mot2.rotor.w;
      torque.u = -(J1*der(mot2.rotor.w) + load);
      connect(torque.b, mot2.shaft) annotation (Line(points={{75,20},{55,20}}, color={0,0,0}));
      annotation (experiment(StopTime=150, Tolerance=1e-8));
    end Drive;
  end WardLeonard;

  package Control "Sampled control, relays, automata"
    model Thermostat "A room, a heater, a hysteresis"
      extends Icons.Example;
      parameter Units.Temperature outside = 273.15 + 5;
      parameter Real tau(unit="s") = 3600 "Time constant of the room";
      parameter Units.Temperature lift = 30 "Temperature of the room if the heater is always on";
      Units.Temperature T(start=273.15 + 15, fixed=true) "Of the room";
      Blocks.Hysteresis cold(uLow=-0.5, uHigh=0.5)
        annotation (Placement(transformation(extent={{-10,-10},{10,10}})));
    equation
      cold.u = 273.15 + 20 - T;
      tau*der(T) = outside - T + (if cold.y then lift else 0);
      annotation (experiment(StopTime=20000, Tolerance=1e-8));
    end Thermostat;

    model SampledServo "An integrator with lag, under a sampled PI controller"
      extends Icons.Example;
      Blocks.SampledPI pi(k=0.5, Ti=2, kw=0.5, period=0.1, yMax=1)
        annotation (Placement(transformation(extent={{-20,-10},{0,10}})));
      Blocks.FirstOrder plant(k=2, T=1, y(fixed=true))
        annotation (Placement(transformation(extent={{25,-10},{45,10}})));
      Blocks.Step reference(startTime=1)
        annotation (Placement(transformation(extent={{-70,-10},{-50,10}})));
    equation
      pi.u = reference.y - plant.y;
      connect(pi.y, plant.u) annotation (Line(points={{1,0},{23,0}}, color={0,0,127}));
      annotation (experiment(StopTime=10, Tolerance=1e-8));
    end SampledServo;

    model Line "A discretized transport line whose inlet is switched"
      extends Icons.Example;
      parameter Integer n = 50 "Cells";
      parameter Real speed(unit="1/s") = 1 "Lengths of the line in a second";
      Real c[n](each start=0, each fixed=true) "Concentration in each cell";
      Boolean open "The valve at the inlet";
    equation
      open = sin(6*time) > 0;
      der(c[1]) = n*speed*((if open then 1 else 0) - c[1]);
      for i in 2:n loop
        der(c[i]) = n*speed*(c[i - 1] - c[i]);
      end for;
      annotation (Diagram(graphics={
        Rectangle(extent={{-60,12},{70,-12}}, lineColor={0,114,178}, fillColor={86,180,233},
          fillPattern=FillPattern.HorizontalCylinder),
        Line(points={{-34,12},{-34,-12}}), Line(points={{-8,12},{-8,-12}}),
          Line(points={{18,12},{18,-12}}), Line(points={{44,12},{44,-12}}),
        Text(extent={{-60,10},{-34,-10}}, textString="1"), Text(extent={{-34,10},{-8,-10}},
          textString="2"), Text(extent={{44,10},{70,-10}}, textString="n"),
        Line(points={{-95,0},{-66,0}}, arrow={Arrow.None,Arrow.Filled}),
          Line(points={{-80,0},{-86,14}}, thickness=0.5), Text(extent={{-100,32},{-66,18}},
          textString="open")}),
        experiment(StopTime=4, Tolerance=1e-6));
    end Line;

    model TrafficLight "An automaton with timers"
      extends Icons.Example;
      Blocks.Automaton light(n=3, from={1, 2, 3}, to={2, 3, 1})
        annotation (Placement(transformation(extent={{-10,-10},{10,10}})));
      parameter Units.Time durations[3] = {3, 2, 1};
      discrete Units.Time entered(start=0, fixed=true);
    equation
      when change(light.state) then
        entered = time;
      end when;
      for k in 1:3 loop
        light.fire[k] = time >= pre(entered) + durations[k];
      end for;
      annotation (experiment(StopTime=12));
    end TrafficLight;

    model Dining "A Petri net: two users, one tool; the first has priority"
      extends Icons.Example;
      Blocks.PetriNet net(
        Pre={{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {1, 0, 1, 0}},
        Post={{0, 1, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 1, 0}, {0, 1, 0, 1}},
        m0={1, 0, 1, 0, 1}) "Places: user 1 idle, busy; user 2 idle, busy; tool free"
          annotation (Placement(transformation(extent={{-10,-10},{10,10}})));
    equation
      net.fire[1] = sample(1, 2) or sample(2.5, 4);
      net.fire[2] = sample(1.5, 2);
      net.fire[3] = sample(1, 1);
      net.fire[4] = sample(1.75, 1);
      annotation (experiment(StopTime=8));
    end Dining;

    model Chattering "A relay without hysteresis on a second-order plant: it slides"
      extends Icons.Example;
      Real x(start=1, fixed=true), v(start=0, fixed=true), s;
    equation
      der(x) = v;
      s = x + v;
      der(v) = if s > 0 then -2 else 2;
      annotation (Diagram(graphics={
        Line(points={{-80,0},{80,0}}, arrow={Arrow.None,Arrow.Filled}),
          Line(points={{0,-70},{0,70}}, arrow={Arrow.None,Arrow.Filled}),
        Line(points={{-60,60},{60,-60}}, color={213,94,0}, thickness=0.5),
          Text(extent={{-100,72},{-55,58}}, textString="s = 0"),
        Line(points={{70,0},{68,-25},{60,-40},{50,-50}}, color={0,114,178}, smooth=Smooth.Bezier),
          Line(points={{50,-50},{4,-4}}, color={0,114,178}, thickness=1,
          arrow={Arrow.None,Arrow.Filled}),
        Text(extent={{82,6},{94,-6}}, textString="x"), Text(extent={{4,82},{16,70}},
          textString="v")}),
        experiment(StopTime=5, Tolerance=1e-6));
    end Chattering;
  end Control;

  package Bonds "The circuits of the paper on inline integration, as bond graphs"
    model RectifierBonds "Source, resistor, diode; capacitor and load"
      extends Icons.Example;
      BondGraph.Se source(u=sin(100*3.141592653589793*time))
        annotation (Placement(transformation(extent={{-50,-10},{-70,10}})));
      BondGraph.J1 series(n=4, direction={1, -1, -1, -1})
        annotation (Placement(transformation(extent={{-30,-10},{-10,10}})));
      BondGraph.R Ri(R=10) annotation (Placement(transformation(origin={-20,40},
        extent={{-10,-10},{10,10}}, rotation=90))), RL(R=50)
        annotation (Placement(transformation(extent={{60,-10},{80,10}})));
      BondGraph.D diode annotation (Placement(transformation(origin={-20,-40},
        extent={{-10,-10},{10,10}}, rotation=-90)));
      BondGraph.J0 parallel_(n=3) annotation (Placement(transformation(extent={{20,-10},{40,10}})));
      BondGraph.C C(C=0.001, e(fixed=true))
        annotation (Placement(transformation(origin={30,40}, extent={{-10,-10},{10,10}},
        rotation=90)));
    equation
      connect(source.port, series.port[1])
        annotation (Line(points={{-50,0},{-20,0}}, color={0,0,0}));
      connect(series.port[2], Ri.port) annotation (Line(points={{-20,0},{-20,30}}, color={0,0,0}));
      connect(series.port[3], diode.port)
        annotation (Line(points={{-20,0},{-20,-30}}, color={0,0,0}));
      connect(series.port[4], parallel_.port[1])
        annotation (Line(points={{-20,0},{30,0}}, color={0,0,0}));
      connect(parallel_.port[2], C.port) annotation (Line(points={{30,0},{30,30}}, color={0,0,0}));
      connect(parallel_.port[3], RL.port) annotation (Line(points={{30,0},{60,0}}, color={0,0,0}));
      annotation (experiment(StopTime=0.1, Tolerance=1e-8));
    end RectifierBonds;

    model DiodeInductorBonds "Source, inductor, diode; capacitor and load"
      extends Icons.Example;
      BondGraph.Se source(u=10*sin(100*3.141592653589793*time))
        annotation (Placement(transformation(extent={{-50,-10},{-70,10}})));
      BondGraph.J1 series(n=4, direction={1, -1, -1, -1})
        annotation (Placement(transformation(extent={{-30,-10},{-10,10}})));
      BondGraph.I L(I=0.01) annotation (Placement(transformation(origin={-20,40},
        extent={{-10,-10},{10,10}}, rotation=90)));
      BondGraph.R R(R=50) annotation (Placement(transformation(extent={{60,-10},{80,10}})));
      BondGraph.D diode annotation (Placement(transformation(origin={-20,-40},
        extent={{-10,-10},{10,10}}, rotation=-90)));
      BondGraph.J0 parallel_(n=3) annotation (Placement(transformation(extent={{20,-10},{40,10}})));
      BondGraph.C C(C=0.001, e(fixed=true))
        annotation (Placement(transformation(origin={30,40}, extent={{-10,-10},{10,10}},
        rotation=90)));
    equation
      connect(source.port, series.port[1])
        annotation (Line(points={{-50,0},{-20,0}}, color={0,0,0}));
      connect(series.port[2], L.port) annotation (Line(points={{-20,0},{-20,30}}, color={0,0,0}));
      connect(series.port[3], diode.port)
        annotation (Line(points={{-20,0},{-20,-30}}, color={0,0,0}));
      connect(series.port[4], parallel_.port[1])
        annotation (Line(points={{-20,0},{30,0}}, color={0,0,0}));
      connect(parallel_.port[2], C.port) annotation (Line(points={{30,0},{30,30}}, color={0,0,0}));
      connect(parallel_.port[3], R.port) annotation (Line(points={{30,0},{60,0}}, color={0,0,0}));
      annotation (experiment(StopTime=0.2, Tolerance=1e-8));
    end DiodeInductorBonds;

    model SwitchBonds "A switch between a source with resistance and a capacitor"
      extends Icons.Example;
      BondGraph.Se source(u=10) annotation (Placement(transformation(extent={{-50,-10},{-70,10}})));
      BondGraph.J1 series(n=4, direction={1, -1, -1, -1})
        annotation (Placement(transformation(extent={{-20,-10},{0,10}})));
      BondGraph.R R(R=2) annotation (Placement(transformation(origin={-10,40},
        extent={{-10,-10},{10,10}}, rotation=90)));
      BondGraph.Sw switch(on=time >= 1 and time < 2)
        annotation (Placement(transformation(origin={-10,-40}, extent={{-10,-10},{10,10}},
        rotation=-90)));
      BondGraph.C C(C=0.5, e(fixed=true))
        annotation (Placement(transformation(extent={{30,-10},{50,10}})));
    equation
      connect(source.port, series.port[1])
        annotation (Line(points={{-50,0},{-10,0}}, color={0,0,0}));
      connect(series.port[2], R.port) annotation (Line(points={{-10,0},{-10,30}}, color={0,0,0}));
      connect(series.port[3], switch.port)
        annotation (Line(points={{-10,0},{-10,-30}}, color={0,0,0}));
      connect(series.port[4], C.port) annotation (Line(points={{-10,0},{30,0}}, color={0,0,0}));
      annotation (experiment(StopTime=3, Tolerance=1e-8));
    end SwitchBonds;
  end Bonds;

  package Hybrids "The systems of the HDS paper"
    model Hysteresis "A triangle wave between two thresholds, with one global state"
      extends HDS.HDS(final d=1, final N=2);
      extends Icons.Example;
      parameter Real Delta = 0.1;
    equation
      f = {{1, -1}};
      Ajump = {x[1] - Delta, -x[1] - Delta};
      Gq = {2, 1};
      Gx = {{x[1], x[1]}};
      annotation (experiment(StopTime=1, Tolerance=1e-8));
    end Hysteresis;

    model Mode "A mode of the distributed form: a rate, up to a threshold"
      extends HDS.SwitchedDS(final d=1);
      parameter Real rate = 1;
      parameter Real Delta = 0.1;
    equation
      f = {rate};
      A = rate*x[1] - Delta;
    end Mode;

    model DistributedHysteresis "The same with a state for each mode"
      extends Icons.Example;
      Mode up(rate=1) annotation (Placement(transformation(extent={{-40,-10},{-20,10}}))),
        down(rate=-1, startActive=false)
        annotation (Placement(transformation(extent={{20,-10},{40,10}})));
      Real x "State of the mode that is active";
    equation
      connect(down.autoJump, up.restart)
        annotation (Line(points={{41,0},{46,0},{46,-25},{-46,-25},{-46,0},{-41,0}},
        color={255,127,0}));
      connect(up.autoJump, down.restart) annotation (Line(points={{-19,0},{19,0}},
        color={255,127,0}));
      x = if up.active then up.x[1] else down.x[1];
      when change(up.autoJump) then
        reinit(down.x[1], up.x[1]);
      end when;
      when change(down.autoJump) then
        reinit(up.x[1], down.x[1]);
      end when;
      annotation (experiment(StopTime=1, Tolerance=1e-8));
    end DistributedHysteresis;

    model SwitchStretch "Two spirals, switched along two lines"
      extends HDS.Switcher(x0={0.3, 0.826});
      extends Icons.Example;
    equation
      Ajump[1] = if x[1] >= -0.75*x[2] and x[2] <= 0 then 1 else -1;
      Ajump[2] = if x[1] <= 0 and x[2] >= -0.75*x[1] then 1 else -1;
      annotation (experiment(StopTime=1, Tolerance=1e-8));
    end SwitchStretch;

    model SwitchQuadrant "The same spirals, switched by quadrants"
      extends HDS.Switcher(x0={0.3, 0.826}, x(each nominal=1e-8));
      extends Icons.Example;
    equation
      Ajump[1] = if x[1] >= 0 and x[2] <= 0 then 1 else -1;
      Ajump[2] = if x[1] < 0 and x[2] >= 0 then 1 else -1;
      annotation (experiment(StopTime=1, Tolerance=1e-8));
    end SwitchQuadrant;

    model Ball "The bouncing ball as a hybrid dynamical system: a jump that moves the state"
      extends HDS.HDS(final d=2, final N=1, x0={1, 0});
      extends Icons.Example;
      parameter Real e = 0.7;
    equation
      f = {{x[2]}, {-9.81}};
      Ajump = {if x[1] <= 0 and x[2] < 0 then 1 else -1};
      Gq = {1};
      Gx = {{0}, {-e*x[2]}};
      annotation (experiment(StopTime=2, Tolerance=1e-8));
    end Ball;

    model Commanded "A jump that an input commands"
      extends HDS.CHDS(final d=1, final N=2, final m=1, final p=1,
        u={if time < 1 or time >= 2 then -1 else 1});
      extends Icons.Example;
    equation
      f = {{1, -2}};
      Ajump = {-1, -1};
      Gq = {1, 1};
      Gx = {{0, 0}};
      Cjump = {u[1], -u[1]};
      Fq = {2, 1};
      Fx = {{x[1] + 1, x[1]}};
      y[1] = x[1];
      annotation (experiment(StopTime=3, Tolerance=1e-8));
    end Commanded;

    model Oscillator "The harmonic oscillator with an input"
      extends HDS.CDS(final d=2, final m=1, final p=1);
    equation
      f = {x[2], -x[1] + u[1]};
      y[1] = x[1];
    end Oscillator;

    model Pait "Pait's two-state stabilizer of the oscillator"
      extends Icons.Example;
      model Controller "Artstein's model with two modes"
        extends HDS.CArtstein(final N=2, final dim=0, final m=1, final p=1, T={delta, T2});
        parameter Real delta = 0.1;
        parameter Real T2 = 2.3562;
      equation
        y[1] = if q == 1 then 0 else -3*u[1];
        Gq = {if u[1] >= 0 then 2 else 1, 1};
        Cjump = {-1, -1};
        Fq = {1, 1};
        Fx = {{x[1], x[1]}};
      end Controller;
      Oscillator plant(x0={1, 0})
        annotation (Placement(transformation(extent={{-40,-10},{-20,10}})));
      Controller controller annotation (Placement(transformation(extent={{20,-10},{40,10}})));
    equation
      connect(plant.y, controller.u) annotation (Line(points={{-19,0},{18,0}}, color={0,0,127}));
      connect(controller.y, plant.u)
        annotation (Line(points={{41,0},{46,0},{46,-25},{-47,-25},{-47,0},{-42,0}},
        color={0,0,127}));
      annotation (experiment(StopTime=20, Tolerance=1e-8));
    end Pait;

    model Counter "Brockett's model: the rate of a counter drives a symbol"
      extends HDS.Brockett(final N=2, final dim=1);
      extends Icons.Example;
    equation
      fields = {{1, -0.5}};
      r = {2, 1};
      Gq = {2, 1};
      annotation (experiment(StopTime=3, Tolerance=1e-8));
    end Counter;

    model Timeouts "Artstein's model: a timer in each mode"
      extends HDS.Artstein(final N=2, final dim=1, T={0.5, 1});
      extends Icons.Example;
    equation
      fields = {{1, -1}};
      Gq = {2, 1};
      annotation (experiment(StopTime=3, Tolerance=1e-8));
    end Timeouts;

    model Service "An automaton driven by events that are scheduled and cancelled"
      extends Icons.Example;
      HDS.Server server annotation (Placement(transformation(extent={{40,11},{60,31}})));
      HDS.Timer service(delay=0.75)
        annotation (Placement(transformation(extent={{-20,-15},{0,5}})));
      HDS.Cause arrival(condition=sample(1, 2))
        annotation (Placement(transformation(extent={{-80,15},{-60,35}})));
      HDS.Cause alarm(condition=time >= 5.5)
        annotation (Placement(transformation(extent={{-80,-35},{-60,-15}})));
    equation
      connect(arrival.event, server.start)
        annotation (Line(points={{-59,25},{39,25}}, color={255,127,0}));
      connect(arrival.event, service.schedule)
        annotation (Line(points={{-59,25},{-40,25},{-40,-1},{-21,-1}}, color={255,127,0}));
      connect(alarm.event, service.deschedule)
        annotation (Line(points={{-59,-25},{-40,-25},{-40,-9},{-21,-9}}, color={255,127,0}));
      connect(service.event, server.ready)
        annotation (Line(points={{1,-5},{20,-5},{20,17},{39,17}}, color={255,127,0}));
      annotation (experiment(StopTime=8));
    end Service;
  end Hybrids;
end Examples;
