model ConditionalRedeclare
  partial block Gain
    input Real u;
    output Real y;
  end Gain;
  block Plain
    extends Gain;
    parameter Real k = 1;
  equation
    y = k*u;
  end Plain;
  block Square
    extends Gain;
  equation
    y = u*u;
  end Square;
  model Base
    parameter Boolean extra = false;
    replaceable Plain g(k = 2) constrainedby Gain;
  equation
    g.u = 3;
  end Base;
  Base a, b(redeclare Square g);
end ConditionalRedeclare;
// expect a.g.y(0) = 6 ± 0
// expect b.g.y(0) = 9 ± 0
