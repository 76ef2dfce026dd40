// A call in a branch that is not taken does not run: its assert would fail. The same call stands in
// several branches.
// expect y(0.25) = 0 ± 1e-9
// expect y(1.0) = 2*(log(2) + 2**0.5) ± 1e-6
// expect z(1.0) = 2**0.5 + log(2) ± 1e-6
// expect w(1.0) = 0 ± 1e-9
// options --stop-time 1
model branches
  function guarded "log, for positive arguments only"
    input Real u;
    output Real v;
  protected
    Real s;
  algorithm
    assert(u > 0, "guarded needs a positive argument, got " + String(u));
    s := 0;
    for i in 1:1 loop
      s := s + log(u);
    end for;
    v := s;
  end guarded;
  function root
    input Real u;
    output Real v;
  algorithm
    assert(u >= 0, "root needs an argument that is not negative");
    v := if u > 0 then sqrt(u) else 0;
    while false loop
      v := 0;
    end while;
  end root;
  Real x(start = -1, fixed = true);
  Real y, z, w;
equation
  der(x) = 3;
  y = (if x > 0 then guarded(x) + root(x) else 0) + (if x > 0.1 then guarded(x) + root(x) else 0);
  z = noEvent(if x > 0 then (if x > 1 then root(x) + guarded(x) else guarded(x)) else if x > -0.5
    then root(x + 1) else 0);
  w = noEvent(if x < 0 then guarded(-x) else 0);
end branches;
