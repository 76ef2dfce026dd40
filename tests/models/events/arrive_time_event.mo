// If an expression arrives at zero at a time event and rests there, it is evaluated literally,
// without another event. One that turns back keeps its value. One that passes changes at the same
// instant, so that sample() sees it.
// expect events = 5
// expect rests.n(1) = 0
// expect rests.up(1) = 0
// expect rests.nUp(1) = 1
// expect jumps.n(1) = 0
// expect jumps.up(1) = 0
// expect jumps.nUp(1) = 1
// expect touches.n(1) = 0
// expect touches.nUp(1) = 0
// expect turns.n(1) = 0
// expect turns.nUp(1) = 0
// expect passes.n(1) = 1
// expect passes.nUp(1) = 1
// expect seen(1) = 1
// solvers high euler rk4
// options --stop-time 1
model ArriveTimeEvent
  block Watch
    input Real u;
    Boolean up = u > 0, c = u >= 0;
    Integer n(start = 0, fixed = true), nUp(start = 0, fixed = true);
  equation
    when not c then
      n = pre(n) + 1;
    end when;
    when not up then
      nUp = pre(nUp) + 1;
    end when;
  end Watch;
  Real y(start = 0.5, fixed = true), z(start = 0.625, fixed = true);
  Watch rests(u = if time < 0.125 then 1 - 8*time else 0), jumps(u = if time < 0.1875 then 1 else
    0);
  Watch touches(u = (time - 0.25)^2), turns(u = y), passes(u = z);
  Boolean touching = time >= 0.25, turning = time >= 0.5;
  Boolean seen(start = false, fixed = true);
equation
  der(y) = if turning then 1 else -1;
  der(z) = -1;
  when sample(0.625, 1) then
    seen = not passes.c;
  end when;
end ArriveTimeEvent;
