package TwoBlocks "Two blocks, one on the other, both on dry friction (Elmqvist, Cellier, Otter "
  + "1993, figure 7)"
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

  model Both
    extends Driven;
  equation
    u1 = 20*sin(1.3*time);
    u2 = 8*sin(2*time);
    annotation(experiment(StopTime = 10, Tolerance = 1e-8));
  end Both;
end TwoBlocks;

// model TwoBlocks.Both
// solvers cvode dopri5 inline-radau
// expect event 0.2442825
// expect v1(2.5) = 4.75376503 ± 1e-5
// expect v2(2.5) = 4.75376503 ± 1e-5
// expect v1(5) = -2.16807013 ± 1e-5
// expect v2(5) = 1.98665589 ± 1e-5
// expect v1(7.5) = 3.10820417 ± 1e-5
// expect v2(7.5) = 4.96406312 ± 1e-5
