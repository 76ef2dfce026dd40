// While the body sticks, the friction equals any force: nothing determines it, nor the
// acceleration. A warning reports this. From 0.5 on the acceleration is 0.9.
// expect gain(1) = 0.5*0.9 ± 1e-6
model OpenDerivative
  Real v(start = 0, fixed = true), m, f; // warning R025 with der(v) depends on it
  Boolean sticks = time < 0.5;
  discrete Real before(start = 0, fixed = true);
  Real gain = v - before;
equation
  when time >= 0.5 then
    before = v;
  end when;
  der(v) = 1 - m;
  m - f = 0;
  f = if sticks then m else 0.1;
end OpenDerivative;
