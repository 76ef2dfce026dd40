model between_steps "values between the steps are as good as those at their ends"
  // options --stop-time 20 --intervals 2000 --tolerance 1e-10
  // solvers radau esdirk dopri5
  // expect max e <= 4e-9
  // expect max fast <= 2e-8
  Real x(start=1, fixed=true), v(start=0, fixed=true);
  Real s(start=0, fixed=true) "drawn to sin(time) ten thousand times as fast";
  Real e = abs(x - cos(time)) + abs(v + sin(time));
  Real fast = abs(s - sin(time));
equation
  der(x) = v;
  der(v) = -x;
  der(s) = -1e4*(s - sin(time)) + cos(time);
end between_steps;
