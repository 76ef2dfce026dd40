model DiscontinuousConduction "A buck converter whose current comes to zero in every period: both "
  + "its switches are open then, and iL is not a state"
  parameter Real E = 24, L = 1e-3, V = 12, T = 1e-4, d = 0.3;
  Real iL(start = 0, fixed = true), vx, iS, iD, s;
  Boolean on, off;
  discrete Real t0(start = 0, fixed = true);
equation
  when sample(0, T) then
    t0 = time;
  end when;
  on = time < t0 + d*T;
  0 = if on then vx - E else iS;
  off = s < 0;
  -vx = if off then s else 0;
  iD = if off then 0 else s;
  iL = iS + iD;
  L*der(iL) = vx - V;
  annotation(experiment(StopTime = 1e-3, Tolerance = 1e-8));
end DiscontinuousConduction;

// Rises by (E - V)/L*d*T = 0.36, falls to zero in the same time; then vx = V.
// solvers cvode dopri5 inline-radau
// expect event 6e-5
// expect event 1.6e-4
// expect iL(3e-5) = 0.36 ± 1e-7
// expect iL(8e-5) = 0 ± 1e-9
// expect vx(8e-5) = 12 ± 1e-7
// expect iL(9.3e-4) = 0.36 ± 1e-7
// expect vx(9.8e-4) = 12 ± 1e-7
