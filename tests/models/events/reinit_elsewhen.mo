model ReinitElsewhen "reinit of one state in branches of one clause, in a nested if, and of two "
  + "states through aliases"
  Real x(start = 1, fixed = true), y = -x, v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = 0;
  when time > 0.5 then
    if x > 0 then
      reinit(y, 3);
      reinit(v, 1);
    else
      reinit(v, 2);
    end if;
  elsewhen time > 0.75 then
    reinit(x, 10);
  end when;
  annotation(experiment(StopTime = 1));
end ReinitElsewhen;
// solvers cvode dopri5 rk4 euler
// expect x(0.5) = -3
// expect x(0.75-) = -2.75 ± 1e-9
// expect x(1) = 10.25 ± 1e-9
// expect events = 2
