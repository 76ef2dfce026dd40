// A statement after reinit(v, …) reads the old value of v, like an equation beside it. Statements
// before it, pre(v) and other elements of an array cause no warning.
// expect flying(1) = 0
// expect seen(1) = 3.7 ± 1e-9
model AlgorithmReadsReinit
  parameter Real e = 0.6, small = 1e-3;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Boolean flying(start = true, fixed = true), near(start = false, fixed = true);
  Real a[2](start = {1, 2}, each fixed = true);
  Real seen(start = 0, fixed = true), total(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = if flying then -9.81 else 0;
  der(a) = {1, 1};
algorithm
  when h < 0 then
    near := v < 0;
    reinit(h, 0);
    reinit(v, -e*v);
    flying := v > small; // warning D103 with reads v before its reinit
  end when;
algorithm
  when time > 0.5 then
    reinit(a[2], 0);
    total := a[1];
    if time > 0.4 then
      total := total + 2*a[2]; // warning D103 with reads a
    end if;
  elsewhen time > 0.7 then
    reinit(a, {0, 0});
    seen := pre(a[1]) + total - 4.5;
  end when;
end AlgorithmReadsReinit;
