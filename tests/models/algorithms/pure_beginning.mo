// The statements before one with side effects are treated as in any other section: their relations
// yield events, here x > 0.4 at ln(5/3), and their elements depend on little. The statement itself
// sees the computed values.
// options --stop-time 1.05
// expect event log(5/3)
// expect n(1.05) = 10
// expect store[3](1) = 1 - exp(-0.3) ± 1e-6
// expect store[10](1) = 1 - exp(-1) ± 1e-6
// expect total(1.05) = 10 - exp(-0.1)*(1 - exp(-1))/(1 - exp(-0.1)) ± 1e-5
// expect large(0.5) = 0
// expect large(0.6) = 1
model PureBeginning
  impure function total_of
    input Real u[:];
    output Real y;
  algorithm
    y := sum(u);
  end total_of;
  Real x(start = 0, fixed = true), store[2000](each start = 0, each fixed = true), total(start = 0,
    fixed = true);
  Integer n(start = 0, fixed = true), large;
equation
  der(x) = 1 - x;
algorithm
  large := if x > 0.4 then 1 else 0;
  when sample(0.1, 0.1) then
    n := pre(n) + 1;
    if n <= size(store, 1) then
      store[n] := x;
    end if;
  end when;
  when time > 1.02 then
    total := total_of(store);
  end when;
end PureBeginning;
