package FullSliding "Two blocks, friction by a curve parameter (report of 1999, 5.3), as printed"
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

  model Blocks "The start is a corner of the characteristic: both begin to slide"
    Real v1(start = 0, fixed = true), v2(start = 0, fixed = true);
    Friction floor(f0 = 5.8, f1 = 0.8, v = v1), between(f0 = 8.7, f1 = 0.7, v = v2 - v1);
  equation
    0.08*der(v1) = 8.8*sin(0.73*time + 3.43) - floor.f + between.f;
    0.07*der(v2) = 6*sin(0.75*time + 5.1) + 18.3*sin(1.1*time + 5.17) - between.f;
    annotation(experiment(StopTime = 3, Tolerance = 1e-8));
  end Blocks;
end FullSliding;

// Values of the integrator in tests/papers/friction.py.
// model FullSliding.Blocks
// options --intervals 300
// solvers cvode dopri5 radau inline-radau
// expect v1(1) = -10.96432049 ± 1e-5
// expect between.v(1) = 0 ± 1e-8
// expect v1(1.5) = 0 ± 1e-8
// expect v1(2) = 0.89469198 ± 1e-5
// expect v1(3) = 11.60882173 ± 1e-5
// expect between.v(3) = 17.05300705 ± 1e-5
