model A
  Real h(start=1,fixed=true), v(start=0,fixed=true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -0.5*pre(v));
  end when;
  annotation(experiment(StopTime=5));
end A;
// options --accumulation stop
// expect error R006 line 6
