model FrictionPeak "A block on dry friction by modes (Modelica report of 1999, section 5.3)"
  parameter Real m = 1, f0 = 1, f1 = 0.1;
  parameter Real peak = 1.5 "maximum static friction is peak*f0";
  constant Integer Forward = 2, StartForward = 1, Stuck = 0, StartBackward = -1, Backward = -2;
  Real v(start = 0, fixed = true) "velocity", a "acceleration";
  Real f "friction force", s "parameter along the characteristic";
  Real u = 2*sin(time) "driving force";
  Integer mode(start = Stuck, fixed = true);
equation
  der(v) = a;
  m*a = u - f;
  if pre(mode) == Forward and s > 1 then
    v = s - 1;
    f = f0 + f1*(s - 1);
    mode = Forward;
  elseif pre(mode) == Backward and s < -1 then
    v = s + 1;
    f = -f0 + f1*(s + 1);
    mode = Backward;
  elseif pre(mode) <= Stuck and s > peak or pre(mode) > Stuck and s > 1 then
    a = s - 1;
    f = f0;
    mode = if v > 0 then Forward else StartForward;
  elseif pre(mode) >= Stuck and s < -peak or pre(mode) < Stuck and s < -1 then
    a = s + 1;
    f = -f0;
    mode = if v < 0 then Backward else StartBackward;
  else
    a = 0;
    f = f0*s;
    mode = Stuck;
  end if;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end FrictionPeak;

// The force exceeds 1.5 at t0 = asin(0.75). From then on v' = 2*sin(t) - 1 - v/10, so v = k(t) -
// k(t0)*exp((t0 - t)/10), where k(t) = -10 + (0.2*sin(t) - 2*cos(t))/1.01 solves the equation
// alone. It is zero again at 3.6835077 (bisection), where the force is -1.03: the block sticks
// until pi + t0. From there on everything repeats with the opposite sign after each pi: v(5) = -v(5
// - pi).
// solvers cvode dopri5 inline-radau
// expect event asin(0.75)
// expect event 3.6835077
// expect event pi + asin(0.75)
// expect event pi + 3.6835077
// expect event 2*pi + asin(0.75)
// expect event 2*pi + 3.6835077
// expect v(5) = -0.840279295 ± 1e-5
