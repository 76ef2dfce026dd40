// BouncingBall2 of 1999 as it is printed: v in the clause is the value before reinit, so the ball
// stays on the ground after the first impact. The idioms below cause no warning.
model WhenReadsReinit
  parameter Real e = 0.6, small = 1e-3;
  Real h(start = 2, fixed = true), v(start = 0, fixed = true);
  Boolean flying(start = true, fixed = true);
  Real x(start = 1, fixed = true), y(start = 3, fixed = true), seen(start = 0, fixed = true);
  Real a[2](start = {1, 2}, each fixed = true), total(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = if flying then -9.81 else 0;
  when h < 0 then
    reinit(h, 0);
    reinit(v, -e*v);
    flying = v > small; // warning D103 with reads v before its reinit
  end when;
  der(x) = 1;
  der(y) = -1;
  when x > 1.5 then
    reinit(x, y); // an exchange means the values before
    reinit(y, x);
    seen = pre(x);
  end when;
  der(a) = {1, 1};
  when time > 0.4 then
    reinit(a[2], 0);
    total = a[1] + y;
  elsewhen time > 0.6 then
    reinit(a, {0, 0});
    total = 2*a[2]; // warning D103 with reads a[2]
  end when;
  annotation(experiment(StopTime = 0.7));
end WhenReadsReinit;
