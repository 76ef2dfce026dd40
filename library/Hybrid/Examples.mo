within Hybrid;
package Examples "One runnable model for each idea"
  package Circuits "Ideal switching elements"
    model Rectifier "A diode, a capacitor and a load"
      extends Icons.Example;
      Electrical.SineVoltage source(V=1, f=50);
      Electrical.Resistor Ri(R=10);
      Electrical.Diode diode;
      Electrical.Capacitor C(C=0.001, v(fixed=true));
      Electrical.Resistor RL(R=50);
      Electrical.Ground ground;
    equation
      connect(source.p, Ri.p);
      connect(Ri.n, diode.p);
      connect(diode.n, C.p);
      connect(C.p, RL.p);
      connect(C.n, source.n);
      connect(RL.n, source.n);
      connect(ground.p, source.n);
      annotation (experiment(StopTime=0.1, Tolerance=1e-8));
    end Rectifier;

    model Bridge "Four diodes"
      extends Icons.Example;
      Electrical.SineVoltage source(V=20, f=50);
      Electrical.Resistor Ri(R=0.5);
      Electrical.Diode D[4];
      Electrical.Capacitor C(C=0.001, v(fixed=true));
      Electrical.Resistor R(R=50);
      Electrical.Ground ground;
    equation
      connect(source.p, Ri.p);
      connect(Ri.n, D[1].p);
      connect(Ri.n, D[2].n);
      connect(source.n, D[3].p);
      connect(source.n, D[4].n);
      connect(D[1].n, C.p);
      connect(D[3].n, C.p);
      connect(D[2].p, C.n);
      connect(D[4].p, C.n);
      connect(R.p, C.p);
      connect(R.n, C.n);
      connect(ground.p, C.n);
      annotation (experiment(StopTime=0.1, Tolerance=1e-8));
    end Bridge;

    model Thyristor "Fired at 60 degrees into a resistor and an inductor"
      extends Icons.Example;
      Electrical.SineVoltage source(V=10, f=50);
      Electrical.Thyristor thyristor;
      Electrical.Resistor R(R=10);
      Electrical.Inductor L(L=0.02);
      Electrical.Ground ground;
    equation
      thyristor.fire = time >= 1/300 and time < 1/300 + 1e-4;
      connect(source.p, thyristor.p);
      connect(thyristor.n, R.p);
      connect(R.n, L.p);
      connect(L.n, source.n);
      connect(ground.p, source.n);
      annotation (experiment(StopTime=0.02, Tolerance=1e-8));
    end Thyristor;

    model DiodeInductor "A diode in series with an inductor: the number of states changes"
      extends Icons.Example;
      Electrical.SineVoltage source(V=10, f=50);
      Electrical.Inductor L(L=0.01);
      Electrical.Diode diode;
      Electrical.Capacitor C(C=0.001, v(fixed=true));
      Electrical.Resistor R(R=50);
      Electrical.Ground ground;
    equation
      connect(source.p, L.p);
      connect(L.n, diode.p);
      connect(diode.n, C.p);
      connect(R.p, C.p);
      connect(C.n, source.n);
      connect(R.n, source.n);
      connect(ground.p, source.n);
      annotation (experiment(StopTime=0.2, Tolerance=1e-8));
    end DiodeInductor;

    model Buck "A power converter: a switch, a diode, an inductor"
      extends Icons.Example;
      Electrical.ConstantVoltage source(V=24);
      Electrical.Switch switch;
      Electrical.Diode diode;
      Electrical.Inductor L(L=1e-4, i(fixed=true));
      Electrical.Capacitor C(C=1e-4, v(fixed=true));
      Electrical.Resistor R(R=5);
      Electrical.Ground ground;
      Blocks.PWM pwm(period=1e-5);
    equation
      pwm.u = 0.5;
      switch.closed = pwm.y;
      connect(source.p, switch.p);
      connect(switch.n, L.p);
      connect(diode.n, L.p);
      connect(L.n, C.p);
      connect(R.p, C.p);
      connect(C.n, source.n);
      connect(R.n, source.n);
      connect(diode.p, source.n);
      connect(ground.p, source.n);
      annotation (experiment(StopTime=0.005, Tolerance=1e-6));
    end Buck;

    model Amplifier "An op-amp as an integrator"
      extends Icons.Example;
      Electrical.ConstantVoltage source(V=1);
      Electrical.Resistor R(R=1000);
      Electrical.Capacitor C(C=1e-3, v(fixed=true));
      Electrical.OpAmp opAmp;
      Electrical.Ground ground;
    equation
      connect(source.p, R.p);
      connect(R.n, opAmp.minus);
      connect(C.p, opAmp.minus);
      connect(C.n, opAmp.out);
      connect(opAmp.plus, ground.p);
      connect(source.n, ground.p);
      annotation (experiment(StopTime=1));
    end Amplifier;
  end Circuits;

  package Machines "Friction, clutches, impacts"
    model BlockWithFriction "A block on a rough ground, pulled back and forth"
      extends Icons.Example;
      Mechanics.Translational.Mass body(m=1, s(fixed=true), v(fixed=true));
      Mechanics.Translational.Friction friction(f0=1, f1=0.1);
      Mechanics.Translational.Fixed ground;
      Mechanics.Translational.Force force;
    equation
      force.u = 2*sin(time);
      connect(force.b, body.a);
      connect(body.b, friction.b);
      connect(friction.a, ground.a);
      annotation (experiment(StopTime=10, Tolerance=1e-8));
    end BlockWithFriction;

    model Clutch "Two wheels, coupled rigidly for a second"
      extends Icons.Example;
      Mechanics.Rotational.Inertia J1(J=1, w(start=10, fixed=true), phi(fixed=true));
      Mechanics.Rotational.Inertia J2(J=2, w(fixed=true), phi(fixed=true));
      Mechanics.Rotational.Clutch clutch;
      Mechanics.Rotational.Torque torque;
    equation
      torque.u = 1;
      clutch.engaged = time >= 1 and time < 2;
      connect(torque.b, J1.a);
      connect(J1.b, clutch.a);
      connect(clutch.b, J2.a);
      annotation (experiment(StopTime=3, Tolerance=1e-8));
    end Clutch;

    model Staircase "A ball that bounces down a staircase"
      extends Icons.Example;
      parameter Real e = 0.8 "Restitution";
      parameter Units.Position run = 1, rise = 0.4;
      constant Units.Acceleration g = 9.81;
      Units.Position x(start=0.1, fixed=true), h(start=0.6, fixed=true) "Place and height of the ball";
      Units.Velocity v(start=0, fixed=true), u(start=0.9, fixed=true) "Its velocities, up and along";
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
      annotation (experiment(StopTime=4, Tolerance=1e-8));
    end Staircase;

    model GearShift "A drive with two gears and a clutch that slips"
      extends Icons.Example;
      Mechanics.Rotational.Inertia engine(J=0.2, w(start=100, fixed=true), phi(fixed=true));
      Mechanics.Rotational.Inertia vehicle(J=20, w(fixed=true), phi(fixed=true));
      Mechanics.Rotational.FrictionClutch first(tauMax=60), second(tauMax=60);
      Mechanics.Rotational.Gear gear1(ratio=4), gear2(ratio=2);
      Mechanics.Rotational.Torque torque;
    equation
      torque.u = 20;
      first.u = if time < 3 then min(1, time/1) else 0;
      second.u = if time < 3 then 0 else min(1, (time - 3)/1);
      connect(torque.b, engine.a);
      connect(engine.b, first.a);
      connect(engine.b, second.a);
      connect(first.b, gear1.a);
      connect(second.b, gear2.a);
      connect(gear1.b, vehicle.a);
      connect(gear2.b, vehicle.a);
      annotation (experiment(StopTime=6, Tolerance=1e-6));
    end GearShift;

    model Arm "Six joints in a row, each with inertia and friction, falling to rest"
      extends Icons.Example;
      parameter Integer n = 6 "Number of joints";
      parameter Units.Inertia J[n] = fill(1, n) "Inertia of each link";
      parameter Units.Torque friction[n] = fill(0.3, n) "Friction of each joint";
      parameter Real c = 2 "Torque of gravity on each link, per radian of its angle";
      Mechanics.Rotational.Inertia link[n](J=J, each w(fixed=true), phi(each fixed=true, start={1, 0.8, 0.6, 0.4, 0.2, 0.1}));
      Mechanics.Rotational.Friction joint[n](tauMax=friction);
      Mechanics.Rotational.Fixed ground;
      Mechanics.Rotational.Torque gravity[n];
      Real energy "Of motion and height";
    equation
      connect(ground.a, joint[1].a);
      for k in 1:n loop
        connect(joint[k].b, link[k].a);
        connect(gravity[k].b, link[k].b);
        gravity[k].u = -c*link[k].phi;
        if k < n then
          connect(link[k].b, joint[k + 1].a);
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
      annotation (experiment(StopTime=10, Tolerance=1e-8));
    end Hopper;
  end Machines;

  package WardLeonard "The drive of the 1993 guidelines: a motor drives a generator, which feeds a motor"
    model Machine "Direct-current machine with a field winding and friction in its bearings"
      extends Icons.Element;
      parameter Units.Resistance Ra = 10 "Armature", Rf = 25 "Field";
      parameter Units.Inertia J = 0.05;
      parameter Real k = 0.5 "Flux for one ampere in the field";
      Electrical.Interfaces.Pin armature "Its other end is grounded", field "Its other end is grounded";
      Mechanics.Rotational.Inertia rotor(J=J);
      Mechanics.Rotational.StickSlip bearing(tauC=2e-5, tauMax=5e-5, d=2e-4);
      Mechanics.Rotational.Fixed ground;
      Mechanics.Rotational.Torque torque;
      Mechanics.Rotational.Flange shaft;
      Real psi "Flux";
    equation
      field.v = Rf*field.i;
      psi = k*field.i;
      armature.v = psi*rotor.w + Ra*armature.i;
      torque.u = psi*armature.i;
      connect(torque.b, rotor.a);
      connect(rotor.b, shaft);
      connect(rotor.b, bearing.b);
      connect(bearing.a, ground.a);
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
    end Controller;

    model Drive "Position control of a load by a Ward-Leonard drive"
      extends Icons.Example;
      Machine mot1, gen, mot2;
      Electrical.ConstantVoltage source(V=25);
      Electrical.SignalVoltage excitation;
      Electrical.Ground ground;
      Controller controller;
      Mechanics.Rotational.Torque torque "Of the load";
      Units.Angle theta(start=0, fixed=true) "Of the load";
      Units.Angle reference = if time < 50 then 10 else 5;
      Units.Torque load = if time < 100 then 0 else 0.01;
      Units.Inertia J1 = if time < 100 then 0 else 0.05;
    equation
      connect(source.p, mot1.armature);
      connect(source.p, mot1.field);
      connect(source.p, mot2.field);
      connect(source.n, ground.p);
      connect(excitation.p, gen.field);
      connect(excitation.n, ground.p);
      connect(mot1.shaft, gen.shaft) "One rigid shaft";
      connect(gen.armature, mot2.armature);
      controller.u = reference - theta;
      excitation.u = controller.y;
      der(theta) = mot2.rotor.w;
      torque.u = -(J1*der(mot2.rotor.w) + load);
      connect(torque.b, mot2.shaft);
      annotation (experiment(StopTime=150, Tolerance=1e-8));
    end Drive;
  end WardLeonard;

  package Control "Sampled control, relays, automata"
    model Thermostat "A room, a heater, a hysteresis"
      extends Icons.Example;
      parameter Units.Temperature outside = 273.15 + 5;
      parameter Real tau(unit="s") = 3600 "Time constant of the room";
      parameter Units.Temperature lift = 30 "Of the heater when it is always on";
      Units.Temperature T(start=273.15 + 15, fixed=true) "Of the room";
      Blocks.Hysteresis cold(uLow=-0.5, uHigh=0.5);
    equation
      cold.u = 273.15 + 20 - T;
      tau*der(T) = outside - T + (if cold.y then lift else 0);
      annotation (experiment(StopTime=20000, Tolerance=1e-8));
    end Thermostat;

    model SampledServo "An integrator with lag, under a sampled PI controller"
      extends Icons.Example;
      Blocks.SampledPI pi(k=0.5, Ti=2, kw=0.5, period=0.1, yMax=1);
      Blocks.FirstOrder plant(k=2, T=1, y(fixed=true));
      Blocks.Step reference(startTime=1);
    equation
      pi.u = reference.y - plant.y;
      connect(pi.y, plant.u);
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
      annotation (experiment(StopTime=4, Tolerance=1e-6));
    end Line;

    model TrafficLight "An automaton with timers"
      extends Icons.Example;
      Blocks.Automaton light(n=3, from={1, 2, 3}, to={2, 3, 1});
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
        m0={1, 0, 1, 0, 1}) "Places: user 1 idle, busy; user 2 idle, busy; tool free";
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
      annotation (experiment(StopTime=5, Tolerance=1e-6));
    end Chattering;
  end Control;

  package Bonds "The circuits of the paper on inline integration, as bond graphs"
    model RectifierBonds "Source, resistor, diode; capacitor and load"
      extends Icons.Example;
      BondGraph.Se source(u=sin(100*3.141592653589793*time));
      BondGraph.J1 series(n=4, direction={1, -1, -1, -1});
      BondGraph.R Ri(R=10), RL(R=50);
      BondGraph.D diode;
      BondGraph.J0 parallel_(n=3);
      BondGraph.C C(C=0.001, e(fixed=true));
    equation
      connect(source.port, series.port[1]);
      connect(series.port[2], Ri.port);
      connect(series.port[3], diode.port);
      connect(series.port[4], parallel_.port[1]);
      connect(parallel_.port[2], C.port);
      connect(parallel_.port[3], RL.port);
      annotation (experiment(StopTime=0.1, Tolerance=1e-8));
    end RectifierBonds;

    model DiodeInductorBonds "Source, inductor, diode; capacitor and load"
      extends Icons.Example;
      BondGraph.Se source(u=10*sin(100*3.141592653589793*time));
      BondGraph.J1 series(n=4, direction={1, -1, -1, -1});
      BondGraph.I L(I=0.01);
      BondGraph.R R(R=50);
      BondGraph.D diode;
      BondGraph.J0 parallel_(n=3);
      BondGraph.C C(C=0.001, e(fixed=true));
    equation
      connect(source.port, series.port[1]);
      connect(series.port[2], L.port);
      connect(series.port[3], diode.port);
      connect(series.port[4], parallel_.port[1]);
      connect(parallel_.port[2], C.port);
      connect(parallel_.port[3], R.port);
      annotation (experiment(StopTime=0.2, Tolerance=1e-8));
    end DiodeInductorBonds;

    model SwitchBonds "A switch between a source with resistance and a capacitor"
      extends Icons.Example;
      BondGraph.Se source(u=10);
      BondGraph.J1 series(n=4, direction={1, -1, -1, -1});
      BondGraph.R R(R=2);
      BondGraph.Sw switch(on=time >= 1 and time < 2);
      BondGraph.C C(C=0.5, e(fixed=true));
    equation
      connect(source.port, series.port[1]);
      connect(series.port[2], R.port);
      connect(series.port[3], switch.port);
      connect(series.port[4], C.port);
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
      Mode up(rate=1), down(rate=-1, startActive=false);
      Real x "State of the mode that is active";
    equation
      up.restart = down.autoJump;
      down.restart = up.autoJump;
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
      extends HDS.CHDS(final d=1, final N=2, final m=1, final p=1, u={if time < 1 or time >= 2 then -1 else 1});
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
      Oscillator plant(x0={1, 0});
      Controller controller;
    equation
      controller.u = plant.y;
      plant.u = controller.y;
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
      HDS.Server server;
      HDS.Timer service(delay=0.75);
      HDS.Cause arrival(condition=sample(1, 2));
      HDS.Cause alarm(condition=time >= 5.5);
    equation
      server.start = arrival.event;
      service.schedule = arrival.event;
      service.deschedule = alarm.event;
      server.ready = service.event;
      annotation (experiment(StopTime=8));
    end Service;
  end Hybrids;
end Examples;
