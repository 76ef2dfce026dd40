model JoinedThenReinit "reinit at the instant of a change of mode sets the start of the jump"
  Real v1(start = 5, fixed = true), v2(start = 1, fixed = true), i;
  Boolean closed = time >= 1;
equation
  der(v1) = -i;
  3*der(v2) = i;
  0 = if closed then v1 - v2 else i;
  when closed then
    reinit(v2, 3);
  end when;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end JoinedThenReinit;
// Charge is kept from 5 and 3 on: (5 + 3*3)/4.
// solvers cvode dopri5 inline-radau
// expect v1(1.5) = 3.5 ± 1e-7
// expect v2(2) = 3.5 ± 1e-7
