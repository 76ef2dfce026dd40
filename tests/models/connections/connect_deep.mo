// expect error F002 line 16 with is inside component 'a'
package Deep
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Inner
    Pin p, q;
  end Inner;
  model Outer
    Inner inner_;
  end Outer;
  model Test
    Outer a;
  equation
    connect(a.inner_.p, a.inner_.q);
    a.inner_.p.v = 1;
    a.inner_.p.i = 1;
  end Test;
end Deep;
// model Deep.Test
