model Ball "a ball"
  parameter Real e(min=0, max=1) = 0.7 "restitution";
  Real h(start=1, fixed=true, unit="m") "height";
  Real v(start=0, fixed=true, unit="m/s");
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -e*pre(v));
  end when;
  annotation(experiment(StopTime=2));
end Ball;
