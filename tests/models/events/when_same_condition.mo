// Clauses with one condition are one system of equations: the same variable, through connections,
// or equal expressions; also across components.
package WhenSameCondition
  connector Tick = input Boolean;
  connector TickOut = output Boolean;
  connector Value = input Real;
  connector Result = output Real;
  block Half
    Tick c;
    Value u;
    Result y(start = 0, fixed = true);
    parameter Real k = 0.5, b = 0;
  equation
    when c then
      y = k*u + b;
    end when;
  end Half;
  block Clock
    TickOut c = sample(0.2, 0.3);
  end Clock;
  block Above "compares its own input"
    Value u, level;
    Result y(start = 0, fixed = true);
    parameter Real k = 0.5, b = 0;
  equation
    when level > 0.7 then
      y = k*u + b;
    end when;
  end Above;
  model All
    Boolean c = time > 0.45;
    Real x1, y1, x2, y2, x3, y3, z3, x4, y4;
    Clock clock;
    Half a(k = 0.5, b = 3), b(k = -0.25);
    Above p(level = time, k = 0.4, b = 3), q(level = time, b = 1);
    Above r(level = 2*time, k = 0.4, b = 3), s(level = 2*time, b = 1);
  equation
    when c then
      y1 = 0.75*x1 + time;
    end when;
    when c then
      x1 = 0.4*y1 + 2;
    end when;
    // equal expressions
    when time > 0.65 then
      y2 = x2 + 1;
    end when;
    when time > 0.65 then
      x2 = -y2;
    end when;
    // a name and its meaning, nonlinear, three equations
    when {c, time > 0.8} then
      y3 = x3*x3 + z3;
    end when;
    when {time > 0.45, time > 0.8} then
      x3 = 0.1*y3;
    end when;
    when {c, time > 0.8} then
      z3 = 0.09 - 0*y3;
    end when;
    // operands of `and` and `or` in another order
    when time > 0.55 and (c or time > 2) and not time < 0.6 then
      y4 = x4 + 1;
    end when;
    when (time > 2 or c) and (time >= 0.6 and time > 0.55) then
      x4 = 0.75*y4;
    end when;
    connect(r.y, s.u);
    connect(s.y, r.u);
    connect(p.y, q.u);
    connect(q.y, p.u);
    connect(clock.c, a.c);
    connect(clock.c, b.c);
    connect(a.y, b.u);
    connect(b.y, a.u);
    annotation(experiment(StopTime = 1));
  end All;
end WhenSameCondition;
// model WhenSameCondition.All
// expect y1(0.44) = 0
// expect y1(0.9) = (0.45 + 1.5)/(1 - 0.3) ± 1e-9
// expect x1(0.9) = 0.4*(0.45 + 1.5)/(1 - 0.3) + 2 ± 1e-9
// expect y2(0.9) = 0.5 ± 1e-9
// expect x2(0.9) = -0.5 ± 1e-9
// expect y3(0.9) = (1 - (1 - 0.04*0.09)**0.5)/0.02 ± 1e-9
// expect y4(0.59) = 0
// expect y4(0.9) = 4 ± 1e-9
// expect p.y(0.69) = 0
// expect p.y(0.9) = 4.25 ± 1e-9
// expect q.y(0.9) = 3.125 ± 1e-9
// expect r.y(0.34) = 0
// expect r.y(0.36) = 4.25 ± 1e-9
// expect a.y(0.1) = 0
// expect a.y(0.3) = 3/(1 + 0.125) ± 1e-9
// expect b.y(0.3) = -0.75/(1 + 0.125) ± 1e-9
