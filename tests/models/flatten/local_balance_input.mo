// An input connector of a component to which nothing is connected (section 4.7).
// model Unconnected.Top
// expect error F015 with block 'Unconnected.Two' has 2 equations of its own for 3 unknowns
package Unconnected
  connector In = input Real;
  connector Out = output Real;
  block Gain
    In u;
    Out y;
  equation
    y = 2*u;
  end Gain;
  block Two
    In u;
    Out y;
    Gain g;
  equation
    connect(g.y, y);
  end Two;
  model Top
    Two t;
  equation
    t.u = time;
  end Top;
end Unconnected;
