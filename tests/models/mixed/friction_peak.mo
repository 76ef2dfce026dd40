model FrictionPeak
  "Dry friction with a peak (report of 1999, 5.3), reversing with an acceleration below peak - 1"
  parameter Real m = 3, f0 = 1, f1 = 0, peak = 2;
  constant Integer Forward = 2, StartForward = 1, Stuck = 0, StartBackward = -1, Backward = -2;
  Real v(start = 0, fixed = true), a, f, s;
  Real u = 4*sin(2*time);
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
  annotation(experiment(StopTime = 4, Tolerance = 1e-8));
end FrictionPeak;

// When it reverses, no branch holds while pre(mode) is Forward: the force of sticking is beyond the
// peak, and s = a - 1 of sliding is not. A branch holds when pre(mode) has followed. From rest at u
// = 2: v = (-2*cos(2*t) + 2*cos(2*t1) - (t - t1))/m, t1 = asin(1/2)/2, and so on.
// options --intervals 400
// solvers cvode dopri5 radau
// expect event 0.2617994
// expect event 2.2835211
// expect v(1) = 0.60871462 ± 1e-6
// expect v(2) = 0.43371248 ± 1e-6
// expect v(3) = -0.49784422 ± 1e-6
// expect v(4) = 0.33552541 ± 1e-6
