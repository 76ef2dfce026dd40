// Full bridges with dead times feed coils. When two switches open, the current goes on through two
// diodes, which are automata. Bridges side by side switch at the same instants, so that four, six
// or ten diodes turn over together. The others have diodes by curve parameters. The current rises
// to 2 with the rate R/L for 2.3 ms, and falls towards -2 in the dead time of 0.2 ms.
// expect max err <= 1e-6
// expect one[1].iL(0.0023) = 2*(1 - exp(-1.15)) ± 1e-7
// expect one[1].iL(0.0025) = (4 - 2*exp(-1.15))*exp(-0.1) - 2 ± 1e-7
// expect five[5].iL(0.0025) = (4 - 2*exp(-1.15))*exp(-0.1) - 2 ± 1e-7
// solvers auto cvode radau dopri5 inline-radau
// options --stop-time 0.02 --tolerance 1e-8
partial model Bridge
  parameter Real U = 10, L = 0.01, R = 5, T = 0.005, dead = 0.0002, t0 = 0;
  Boolean a(start = false, fixed = true), b(start = false, fixed = true);
  Real v[4], i[4], vs[4], is[4], va, vb, iL(start = 0, fixed = true);
equation
  when sample(t0, T) then
    a = true;
  elsewhen sample(t0 + T/2 - dead, T) then
    a = false;
  end when;
  when sample(t0 + T/2, T) then
    b = true;
  elsewhen sample(t0 + T - dead, T) then
    b = false;
  end when;
  vs = {U - va, va, U - vb, vb};
  v = -vs;
  0 = if a then vs[1] else is[1];
  0 = if b then vs[2] else is[2];
  0 = if b then vs[3] else is[3];
  0 = if a then vs[4] else is[4];
  is[1] - is[2] - i[1] + i[2] = iL;
  is[3] - is[4] - i[3] + i[4] = -iL;
  L*der(iL) = va - vb - R*iL;
end Bridge;

model Automata
  extends Bridge;
  Boolean off[4](each start = true, each fixed = true);
equation
  for k in 1:4 loop
    0 = if pre(off[k]) then i[k] else v[k];
    off[k] = pre(off[k]) and v[k] <= 0 or not pre(off[k]) and i[k] < 0;
  end for;
end Automata;

model Curves
  extends Bridge;
  Real s[4];
  Boolean off[4];
equation
  for k in 1:4 loop
    off[k] = s[k] < 0;
    v[k] = if off[k] then s[k] else 0;
    i[k] = if off[k] then 0 else s[k];
  end for;
end Curves;

model BridgeAutomata
  Automata one[1], five[5], late(t0 = 1e-3);
  Curves same, shifted(t0 = 1e-3);
  Real err = abs(one[1].iL - same.iL) + sum(abs(five.iL - fill(same.iL, 5))) +
    abs(late.iL - shifted.iL);
end BridgeAutomata;
