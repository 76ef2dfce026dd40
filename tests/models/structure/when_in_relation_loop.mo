// A loop through a when-clause that relations close: the event iteration finds their values.
model when_in_relation_loop
  block Latch
    input Boolean u;
    input Boolean clr;
    output Boolean y;
  initial equation
    y = not clr and u;
  equation
    when {clr, u} then
      y = not clr and u;
    end when;
  end Latch;
  Latch latch;
  Real T(start = 0, fixed = true);
  Real v;
  Real w;
equation
  der(T) = if latch.y then 1 else -1;
  v = T + 0.1*w;
  w = sin(v) + (if latch.y then 0.5 else 0);
  latch.clr = v > 1;
  latch.u = v < 0.2;
  annotation(experiment(StopTime = 2));
end when_in_relation_loop;
// expect event 0.865852901519
// expect event 1.55157273637 ± 1e-6
// expect T(2) = (0.2 - 0.1*sin(0.2)) + 2 - 2*(1 - 0.1*(sin(1) + 0.5)) + (0.2 - 0.1*sin(0.2)) ± 1e-5
// expect events = 3
