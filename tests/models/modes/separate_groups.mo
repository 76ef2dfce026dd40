// Guards that fall into separate groups: each has modes of its own, and the whole is put together
// from them. A clutch, blocks with friction, diodes in series with
// inductors on one ideal source and on one bus (its capacitor, which no mode constrains, keeps them
// apart), a capacitor switched onto the source. Values: the
// clutch keeps its momentum; friction as in examples/FrictionDeclarative.mo; a diode with inductor
// conducts until the integral of the voltage is used up; a
// shorted capacitor follows the source.
package SeparateGroups
  model Clutch
    parameter Real t0 = 1, t1 = 2;
    Real w1(start = 11, fixed = true), w2(start = 0, fixed = true), tau;
    Boolean closed = time >= t0 and time < t1;
  equation
    der(w1) = -tau;
    2*der(w2) = tau;
    0 = if closed then w1 - w2 else tau;
  end Clutch;

  model Friction
    input Real u;
    Real v(start = 0, fixed = true), f, s;
  equation
    der(v) = u - f;
    if s > 1 then
      v = s - 1;
      f = 1 + 0.1*v;
    elseif s < -1 then
      v = s + 1;
      f = -1 + 0.1*v;
    else
      v = 0;
      f = s;
    end if;
  end Friction;

  model Branch
    parameter Real L = 0.5, R = 0;
    input Real u;
    Real i, ud, s;
    Boolean off;
  equation
    L*der(i) = u - ud - R*i;
    ud = if off then s else 0;
    i = if off then 0 else s;
    off = s < 0;
  end Branch;

  model Mixture
    Clutch early, late(t0 = 3, t1 = 4);
    Friction f(u = 2*sin(time)), g(u = 1.5*cos(time));
    Real source = sin(3*time);
    Branch a(u = source), b(u = -source);
    Real bus(start = 1, fixed = true);
    Branch d[2](each R = 1, u = {3 - bus, -3 - bus})
      "one conducts from the start, the other never does";
    Boolean on = time > 0.75 and time < 1.25;
    Real vc(start = 0, fixed = true), ic;
    Real power = a.i*source + early.w1;
  equation
    0.5*der(bus) = sum(d.i) - bus;
    der(vc) = ic;
    0 = if on then vc - source else ic;
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end Mixture;
end SeparateGroups;

// model SeparateGroups.Mixture
// solvers cvode dopri5 inline-radau
// expect early.w1(1.5) = 11/3 ± 1e-7
// expect early.w2(5) = 11/3 ± 1e-7
// expect late.w1(2.9) = 11 ± 1e-9
// expect late.w1(5) = 11/3 ± 1e-7
// expect f.v(2.5) = 1.23768987 ± 1e-6
// expect f.v(5) = -0.91420925 ± 1e-6
// expect a.i(1) = (1 - cos(3))/1.5 ± 1e-6
// expect a.i(2.1) = (1 - cos(6.3))/1.5 ± 1e-6
// expect b.i(0.5) = 0 ± 1e-9
// expect b.i(1.5) = (1 - cos(4.5 - pi))/1.5 ± 1e-6
// expect d[2].i(3) = 0 ± 1e-9
// expect bus(5) = 1.5 ± 1e-3
// expect vc(1) = sin(3) ± 1e-8
// expect ic(1.1) = 3*cos(3.3) ± 1e-6 [inline-radau 1e-4]
// expect vc(1.25-) = sin(3.75) ± 1e-8
// expect vc(3) = sin(3.75) ± 1e-8
