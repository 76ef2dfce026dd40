// The switch of "Inline integration", 0 = sw*i + (1 - sw)*v, where sw is a Real that a Boolean
// chooses: in series with an inductor, and two of them that commutate.
package ProductSwitch
  connector Value = input Real;
  connector Result = output Real;
  model Switch
    Value sw;
    Real v(start = 0), i;
  equation
    0 = sw*i + (1 - sw)*v;
    annotation(__Kairos(balanced = false));
  end Switch;
  block Position
    input Boolean open;
    Result y;
  equation
    y = if open then 1 else 0;
  end Position;
  model Diode
    Switch s;
    Position p(open = pre(off));
    Boolean off(start = true, fixed = true);
  equation
    connect(p.y, s.sw);
    off = pre(off) and s.v <= 0 or not pre(off) and s.i < 0;
    annotation(__Kairos(balanced = false));
  end Diode;
  model All
    parameter Real L = 0.01, C = 0.001, R = 50;
    Real i(start = 0, fixed = true), u(start = 0, fixed = true);
    Real U = 10*sin(100*3.141592653589793*time);
    Diode d;
    Real k(start = 0, fixed = true), w;
    Diode to, free;
    Real sw, x, y;
    Boolean late = time > 0.05;
  equation
    L*der(i) = U - d.s.v - u;
    C*der(u) = i - u/R;
    d.s.i = i;
    to.s.v = 10 - 20*time/0.1 - w;
    free.s.v = -w;
    to.s.i + free.s.i = k;
    0.01*der(k) = w - 5*k;
    // not part of a switch: no branch loses an unknown
    sw = if late then 2 else 3;
    x = 1 + time;
    sw*x + y = 0;
    annotation(experiment(StopTime = 0.1, Tolerance = 1e-8));
  end All;
end ProductSwitch;

// solvers cvode dopri5 radau inline-radau
// expect event 0.0101191
// expect event 0.0428408
// expect u(0.05) = 8.69557832 ± 9e-6
// expect u(0.1) = 7.36065848 ± 8e-6
// 0.01 k' = 10 - 200 t - 5 k: k = 2.08 - 40 t - 2.08 exp(-500 t) to 0.05, then it decays
// expect k(0.02) = 2.08 - 0.8 - 2.08*exp(-10) ± 1e-6
// expect k(0.06) = (0.08 - 2.08*exp(-25))*exp(-5) ± 1e-6
// expect y(0.04) = -3.12 ± 1e-9
// expect y(0.08) = -2.16 ± 1e-9
