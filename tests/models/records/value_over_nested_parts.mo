// A modification gives parts of a record inside a record. A value of the outer record from a
// modification further outside replaces them, with their sizes (section 7.2.4).
// model ValueOverNestedParts.Exact
// expect pump.y(1) = 10
// expect simple.y(1) = 12
package ValueOverNestedParts
  record Curve
    parameter Real V[:] = {0, 0};
    parameter Real dp[size(V, 1)] = {0, 0};
  end Curve;
  record Data
    parameter Curve pressure(V = {1, 2, 3}, dp = {3, 2, 1});
  end Data;
  record Four = Data(pressure(V = {0, 1, 2, 3}, dp = {4, 3, 2, 0}));
  model Pump
    replaceable parameter Data per;
    Real y = sum(per.pressure.V) + size(per.pressure.V, 1);
  end Pump;
  model Simple
    Pump pump(redeclare Four per(pressure(V = {0, 10}, dp = {10, 0})));
    Pump simple(redeclare Four per(pressure(V = {0, 10}, dp = {10, 0})));
  end Simple;
  model Exact
    extends Simple(pump(per = per));
    parameter Four per;
  end Exact;
end ValueOverNestedParts;
