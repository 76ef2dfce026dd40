model CombinationsThatNeverAre "Of several discrete variables not all combinations occur: one "
  + "that works against a source is not an error by itself"
  Real a, x, w(start = 0, fixed = true);
  Boolean locked = time < 0.5, start = time >= 0.5;
equation
  der(w) = a;
  a = if locked then 0 else if start then x else w;
  2*x = 3;
end CombinationsThatNeverAre;
// expect w(0.5) = 0 ± 1e-9
// expect w(1) = 0.75 ± 1e-6
