model left_limit_of_state "initial equations give left limits of discrete variables; states have "
  + "their start values"
  // expect s(0) = 0.25 ± 1e-9
  // expect u(0.05) = 0.75 ± 1e-9
  // expect s(0.15) = 0.35 ± 1e-6
  // expect z(0) = 2 ± 1e-9
  // expect h(0.05) = 4 ± 1e-9
  // expect q(0) = 5 ± 1e-9
  discrete Real s, u, h;
  discrete Real k(start=5, fixed=true);
  Real y(start=0.25, fixed=true), z(start=2), q;
initial equation
  pre(s) = y;
  u = 3*y;
  h = 2*z;
  q = pre(k);
equation
  der(y) = 1;
  der(z) = -z;
  der(q) = 0;
  when sample(0.1, 0.1) then
    s = y;
    u = 3*s;
    h = 2*z;
    k = pre(k) + 1;
  end when;
end left_limit_of_state;
