// Pairs of variables bound to one another: the one that is preferred is the state, then the one
// that is not avoided; attributes of an alias count.
// expect x(1.0) = exp(-1) ± 1e-5
// expect equations STATES a.y b.x c.x e.x
model prefer_and_avoid
  model Pair
    parameter StateSelect sx = StateSelect.default, sy = StateSelect.default;
    Real x(stateSelect = sx), y(stateSelect = sy), f, g;
  equation
    der(x) = f;
    der(y) = g;
    y = 2*x;
    f + g = -3*x;
  end Pair;
  Pair a(sy = StateSelect.prefer, y(start = 2, fixed = true));
  Pair b(sy = StateSelect.avoid, x(start = 1, fixed = true));
  Pair c(sx = StateSelect.avoid, sy = StateSelect.never, x(start = 1, fixed = true));
  Pair e(sy = StateSelect.avoid, x(start = 1, fixed = true));
  Real alias(stateSelect = StateSelect.prefer) = -e.x;
  Real x = b.x;
end prefer_and_avoid;
