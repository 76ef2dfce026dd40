// Arrays of connectors: whole, slices, and inside a component that is an array.
// expect a(0.0) = 1 ± 0
// expect b(0.0) = 3 ± 0
// expect c(0.0) = 2 ± 0
package Sizes
  connector In = input Real;
  connector Out = output Real;
  block Source
    parameter Integer n = 3;
    Out y[n];
  equation
    for i loop
      y[i] = i;
    end for;
  end Source;
  block Taker
    In u;
    Real x = u;
  end Taker;
  block Box
    In u[2];
    Taker t[2];
  equation
    connect(u, t.u);
  end Box;
  model Test
    Source source;
    Taker t;
    Box box;
    Real a = t.x, b = box.t[1].x, c = box.t[2].x;
  equation
    connect(source.y[1], t.u);
    connect(source.y[{3, 2}], box.u);
  end Test;
end Sizes;
// model Sizes.Test
