package FullSlidingClose
  "Two blocks, friction by a curve parameter (report of 1999, 5.3): two changes 4e-4 s apart"
  model Friction
    parameter Real f0, f1;
    input Real v;
    Real a, f, s;
    Boolean fullSliding(start = true, fixed = true);
  equation
    a = der(v);
    if pre(fullSliding) and s > 1 then
      v = s - 1;
      f = f0 + f1*v;
      fullSliding = true;
    elseif pre(fullSliding) and s < -1 then
      v = s + 1;
      f = -f0 + f1*v;
      fullSliding = true;
    elseif s > 1 then
      a = s - 1;
      f = f0;
      fullSliding = v > 0;
    elseif s < -1 then
      a = s + 1;
      f = -f0;
      fullSliding = v < 0;
    else
      a = 0;
      f = f0*s;
      fullSliding = false;
    end if;
  end Friction;

  model Blocks
    Real v1(start = 0, fixed = true), v2(start = 0, fixed = true);
    Friction floor(f0 = 1, f1 = 0.5, v = v1), between(f0 = 2, f1 = 0, v = v2 - v1);
  equation
    der(v1) = 2*sin(4*time) + 2*sin(6*time) - floor.f + between.f;
    2*der(v2) = 3*cos(2*time) + 2*sin(6*time) - between.f;
    annotation(experiment(StopTime = 3, Tolerance = 1e-6));
  end Blocks;
end FullSlidingClose;

// Values of the integrator in tests/papers/friction.py.
// model FullSlidingClose.Blocks
// options --intervals 300
// solvers cvode dopri5 esdirk inline-radau
// expect v1(1) = 0.30960297 ± 1e-5
// expect between.v(2) = -0.07952381 ± 1e-5
// expect v1(2.5) = 0.03192787 ± 1e-5
// expect v1(3) = -0.16046793 ± 1e-5
// expect between.v(3) = 0 ± 1e-8
