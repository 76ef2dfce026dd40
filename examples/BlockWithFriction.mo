model BlockWithFriction "A block on dry friction by modes (Modelica report of 1999, section 5.3)"
  parameter Real m = 1, f0 = 1, f1 = 0.1;
  parameter Real peak = 1 "maximum static friction is peak*f0";
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
end BlockWithFriction;

// options --tolerance 1e-8
// solvers cvode dopri5 inline-radau
// expect event 0.5235988
// expect event 3.7141265
// expect event 6.8550001
// expect event 9.9966137
// expect v(2.5) = 1.23768987 ± 1e-5
// expect v(5) = -0.91420925 ± 1e-5
// expect v(7.5) = 0.33540519 ± 1e-5
