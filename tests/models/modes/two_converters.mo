// Two converters of their own, whose guards are only found when both their switches are open
// (discontinuous_conduction.mo): the inductor's current is constrained
// then, so that its derivative belongs to the group. Rises by (E - V)/L*d*T, falls to zero in the
// same time; then vx = V.
package TwoConverters
  model Converter
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
  end Converter;

  model Both
    Converter a, b(T = 1.3e-4, d = 0.25);
    annotation(experiment(StopTime = 1e-3, Tolerance = 1e-8));
  end Both;
end TwoConverters;

// model TwoConverters.Both
// solvers cvode dopri5 inline-radau
// expect a.iL(3e-5) = 0.36 ± 1e-7
// expect a.iL(8e-5) = 0 ± 1e-9
// expect a.vx(8e-5) = 12 ± 1e-7
// expect a.iL(9.3e-4) = 0.36 ± 1e-7
// expect b.iL(3.25e-5) = 0.39 ± 1e-7
// expect b.iL(1e-4) = 0 ± 1e-9
// expect b.vx(1e-4) = 12 ± 1e-7
// expect b.iL(9.425e-4) = 0.39 ± 1e-7
