// Odd corners, each a component of its own: reinit through aliases and records and of a state that
// index reduction removes, relations that stay at zero, chains of events within one
// instant, integer functions after jumps, left limits of continuous values, enumerations and
// Strings, instants that coincide up to rounding.
// expect negated.y(1) = -2.5 ± 1e-6
// expect dummy.w1(1) = 3.5 ± 1e-6
// expect dummy.w2(0.5) = 3 ± 1e-6
// expect fields.r.x(0.9) = 0.4 ± 1e-6
// expect stays.a(0.4) = 0
// expect stays.a(0.8) = 1
// expect stays.b(0) = 1
// expect chain.c[10].n(1) = 1
// expect jumps.i(0.2) = 0
// expect jumps.i(0.6) = 100
// expect jumps.i(0.9) = -51
// expect jumps.d(0.9) = -25
// expect left.a(1) = 0.5 ± 1e-6
// expect left.b(1) = 10 ± 1e-6
// expect texts.n(1) = 11
// expect texts.p(1) = 2
// expect ticks.both(1) = 3
// expect cross.q(0.2) = 0
// expect cross.q(0.6) = 1
// expect cross.q(1) = 0
// expect curve.y(0.75) = 1 ± 1e-6
// expect curve.y(0) = -1 ± 1e-6
// expect curve.m(1) = 2
// expect event 0.5
// solvers cvode dopri5 rk4 inline-radau
model Corners
  model Negated
    Real x(start = 0, fixed = true), y, z;
  equation
    der(x) = 1;
    y = -x;
    z = y;
    when x >= 0.5 then
      reinit(z, -2);
    end when;
  end Negated;

  model Dummy
    Real phi1(start = 0, fixed = true), phi2, w1(start = 0, fixed = true),
      w2(stateSelect = StateSelect.always), t;
  equation
    der(phi1) = w1;
    der(phi2) = w2;
    phi1 = phi2;
    der(w1) = t;
    der(w2) = 2 - t;
    when time >= 0.5 then
      reinit(w2, 3);
    end when;
  end Dummy;

  model Fields
    record R
      Real x, v;
    end R;
    function twice
      input Real a;
      output Real b = 2*a;
    algorithm
    end twice;
    R r(x(start = 0, fixed = true), v(start = 1, fixed = true));
  equation
    der(r.x) = r.v;
    der(r.v) = 0;
    when twice(r.x) >= 1 then
      reinit(r.x, 0);
    end when;
  end Fields;

  model Stays "at zero for a while"
    Real x(start = 0, fixed = true);
    Boolean a = x > 0, b = x >= 0;
  equation
    der(x) = if time > 0.5 then 1 else 0;
  end Stays;

  model Chain "ten iterations of one instant"
    model Link
      input Boolean u;
      output Boolean y(start = false, fixed = true);
      Integer n(start = 0, fixed = true);
    equation
      when pre(u) then
        y = true;
        n = pre(n) + 1;
      end when;
    end Link;
    Link c[10];
  equation
    c[1].u = time > 0.5;
    for i in 2:10 loop
      c[i].u = c[i - 1].y;
    end for;
  end Chain;

  model Jumps
    Real x(start = 0, fixed = true), d = div(x, 2);
    Integer i = integer(x);
  equation
    der(x) = 1;
    when time >= 0.5 then
      reinit(x, 100.25);
    elsewhen time >= 0.8 then
      reinit(x, -50.75);
    end when;
  end Jumps;

  model Left
    Real x(start = 0, fixed = true), u = if time >= 0.5 then 10 else x;
    discrete Real a(start = 0, fixed = true), b(start = 0, fixed = true);
  equation
    der(x) = 1;
    when time >= 0.5 then
      a = pre(u);
      b = u;
    end when;
  end Left;

  model Texts
    type E = enumeration(a, b, c);
    E e(start = E.a, fixed = true), p(start = E.a, fixed = true);
    String s(start = "a", fixed = true);
    Integer n(start = 0, fixed = true);
  equation
    when sample(0.25, 0.25) and time < 0.9 then
      s = pre(s) + "b";
      n = if s == "abb" then 10 else pre(n) + 1;
      e = if s == "abbb" then E.c else E.b;
    end when;
    when change(e) then
      p = pre(e);
    end when;
  end Texts;

  model Ticks
    Boolean a = sample(0.1, 0.1), b = sample(0.3, 0.3);
    Integer both(start = 0, fixed = true);
  equation
    when a and b then
      both = pre(both) + 1;
    end when;
  end Ticks;

  model Loop "of Booleans"
    Boolean s = time > 0.5 and time < 0.7, r = not s, q, nq;
  equation
    q = not (r or nq);
    nq = not (s or q);
  end Loop;

  model Curve "an enumeration in a block that is not linear"
    type Mode = enumeration(low, high);
    Mode m;
    Real u = 4*(time - 0.25), y;
  equation
    m = if y >= 0 then Mode.high else Mode.low;
    if m == Mode.high then
      y^3 + y = u;
    else
      y = u;
    end if;
  end Curve;

  Negated negated;
  Dummy dummy;
  Fields fields;
  Stays stays;
  Chain chain;
  Jumps jumps;
  Left left;
  Texts texts;
  Ticks ticks;
  Loop cross;
  Curve curve;
end Corners;
