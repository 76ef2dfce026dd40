// A source without resistance, a diode, a freewheeling diode, and a coil. At the start, the voltage
// is zero, and no diode has a voltage or a current. Both diodes conduct in the position that the
// iteration reaches, which has a solution at this instant only. The position that holds a moment
// later is meant. The load has the voltage max(u, 0): with a = R/L and Z = hypot(R, w*L), the
// current after a half period from rest is J = 10*w*L/Z^2*(1 + exp(-a*T/2)).
// expect a.iL(0.01) = 10*2*pi/(25 + 4*pi**2)*(1 + exp(-2.5)) ± 1e-6
// expect a.iL(0.02) = 10*2*pi/(25 + 4*pi**2)*(1 + exp(-2.5))*exp(-2.5) ± 1e-6
// expect b.iL(0.01) = 10*2*pi/(25 + 4*pi**2)*(1 + exp(-2.5)) ± 1e-6
// expect b.iL(0.02) = 10*2*pi/(25 + 4*pi**2)*(1 + exp(-2.5))*exp(-2.5) ± 1e-6
// expect event 0.01 ± 1e-9
// solvers auto cvode ida esdirk radau dopri5 inline-radau
// options --stop-time 0.02 --tolerance 1e-8
partial model Circuit
  parameter Real L = 0.02, R = 5, pi = 3.141592653589793;
  Real u = 10*sin(100*pi*time), v1, i1, v2, i2, vl;
  Real iL(start = 0, fixed = true);
  Boolean off1(start = true, fixed = true), off2(start = true, fixed = true);
equation
  v1 = u - vl;
  v2 = -vl;
  i1 + i2 = iL;
  L*der(iL) = vl - R*iL;
  0 = if pre(off1) then i1 else v1;
  0 = if pre(off2) then i2 else v2;
end Circuit;
model EitherNegative
  extends Circuit;
equation
  off1 = v1 < 0 or i1 < 0;
  off2 = v2 < 0 or i2 < 0;
end EitherNegative;
model NonePositive
  extends Circuit;
equation
  off1 = v1 <= 0 and not i1 > 0;
  off2 = v2 <= 0 and not i2 > 0;
end NonePositive;
model Freewheel
  EitherNegative a;
  NonePositive b;
end Freewheel;
