package Hysteresis "Two ways of writing a relay with hysteresis"
  model ByWhen "1993: `when u > H or u < -H`"
    parameter Real H = 1;
    input Real u;
    discrete Real y(start = -1, fixed = true);
  equation
    when u > H or u < -H then
      y = if u > 0 then 1 else -1;
    end when;
  end ByWhen;

  model ByMemory "1999: `high = u >= 1 or pre(high) and u > -1`"
    input Real u;
    Boolean high(start = true);
    Real y = if high then 1 else -1;
  equation
    high = u >= 1 or pre(high) and u > -1;
  end ByMemory;

  model Both
    Real u = 2*sin(time);
    ByWhen w(u = u);
    ByMemory m(u = u);
    annotation(experiment(StopTime = 8));
  end Both;
end Hysteresis;
// model Hysteresis.Both
// options --tolerance 1e-8
// solvers cvode dopri5 rk4 euler
// expect event asin(0.5)
// expect event pi + asin(0.5)
// expect event 2*pi + asin(0.5)
// expect w.y(0.5) = -1
// expect w.y(1) = 1
// expect w.y(4) = -1
// expect w.y(7) = 1
// expect m.y(0) = 1
// expect m.y(3.6) = 1
// expect m.y(4) = -1
// expect m.y(7) = 1
