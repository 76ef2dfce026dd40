package TwoBlocksUpper "Two blocks, one on the other, both on dry friction (Elmqvist, Cellier, "
  + "Otter 1993, figure 7)"
  model Friction "by modes (Modelica report of 1999, section 5.3)"
    parameter Real R0 "static", Rm "sliding";
    constant Integer Forward = 2, StartForward = 1, Stuck = 0, StartBackward = -1, Backward = -2;
    input Real v, a "relative velocity and acceleration";
    Real f "force", s "parameter along the characteristic";
    Integer mode(start = Stuck, fixed = true);
  equation
    if pre(mode) == Forward and s > 1 then
      v = s - 1;
      f = Rm;
      mode = Forward;
    elseif pre(mode) == Backward and s < -1 then
      v = s + 1;
      f = -Rm;
      mode = Backward;
    elseif pre(mode) <= Stuck and s > R0/Rm or pre(mode) > Stuck and s > 1 then
      a = s - 1;
      f = Rm;
      mode = if v > 0 then Forward else StartForward;
    elseif pre(mode) >= Stuck and s < -R0/Rm or pre(mode) < Stuck and s < -1 then
      a = s + 1;
      f = -Rm;
      mode = if v < 0 then Backward else StartBackward;
    else
      a = 0;
      f = Rm*s;
      mode = Stuck;
    end if;
  end Friction;

  model Driven
    parameter Real m1 = 1, m2 = 2;
    Friction floor(R0 = 10, Rm = 8), between(R0 = 5, Rm = 4);
    Real v1(start = 0, fixed = true), v2(start = 0, fixed = true);
    Real u1, u2;
  equation
    floor.v = v1;
    floor.a = der(v1);
    between.v = v2 - v1;
    between.a = der(v2) - der(v1);
    m1*der(v1) = u1 - floor.f + between.f;
    m2*der(v2) = u2 - between.f;
  end Driven;

  model Upper
    extends Driven;
  equation
    u1 = 0;
    u2 = 15*sin(time);
    annotation(experiment(StopTime = 12, Tolerance = 1e-8));
  end Upper;
end TwoBlocksUpper;

// model TwoBlocksUpper.Upper
// The upper block hands at most 5 down: the lower one, which needs 10, rests. The upper one breaks
// loose at t0 = asin(1/3); then 2*v2' = 15*sin(t) - 4 until v2 = 7.5*(cos(t0) - cos(t)) - 2*(t -
// t0) is zero. There and at the next zeros the force exceeds 5 the other way: it slides on at once,
// with the opposite friction. Zeros by bisection of these formulas, one after the other.
// solvers cvode dopri5 inline-radau
// expect event asin(1/3)
// expect event 4.5354468
// expect event 7.2683245
// expect event 10.6414634
// expect max v1 <= 1e-9
// expect min v1 >= -1e-9
// expect v2(3) = 7.5*(sqrt(8)/3 - cos(3)) - 2*(3 - asin(1/3)) ± 1e-5
// expect v2(12) = 7.5*(cos(10.64146337) - cos(12)) + 2*(12 - 10.64146337) ± 1e-5
