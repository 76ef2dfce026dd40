// The value of a whole record comes before the fields' own values in the classes of its parts, and
// gives open sizes.
// expect f.p.y(0) = 6
// expect q.y(0) = 6
// expect r.y(0) = 10
// expect s[2].y(0) = 10
// expect t.y(0) = 7
package WholeValueFirst
  record Flow
    parameter Real V[:];
    parameter Real dp[:];
  end Flow;
  record Generic
    parameter Flow pressure(V = {0, 0}, dp = {0, 0});
    parameter Real eta = 0.7;
  end Generic;
  record Special
    extends Generic(pressure(V = {1, 2, 3}, dp = {3, 2, 1}));
  end Special;
  model Pump
    replaceable parameter Generic per;
    Real y = sum(per.pressure.V);
  end Pump;
  model Frame
    parameter Generic per = Special();
    Pump p(per = per);
  end Frame;
  model Test
    Frame f;
    Pump q(redeclare Special per);
    parameter Generic g(pressure(V = {1, 2, 3, 4}, dp = {1, 1, 1, 1}));
    Pump r(per = g);
    Pump s[2](per = {g, g});
    Pump t(per(pressure(V = {3, 4}, dp = {1, 1})));
    Real y = f.p.y + q.y + r.y + s[2].y;
  end Test;
end WholeValueFirst;
