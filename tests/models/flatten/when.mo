// expect flat when sample(0.0, 0.1) then
// expect flat elsewhen time > 3.0 then
// expect flat reinit(x, 0.0)
// expect ok
model When
  Real x(start = 1, fixed = true);
  discrete Real y;
  Integer n(start = 0, fixed = true);
equation
  der(x) = -x;
  when sample(0, 0.1) then
    y = x;
  elsewhen time > 3 then
    y = 0;
  end when;
  when x < 0.5 then
    n = pre(n) + 1;
    reinit(x, 0);
  end when;
end When;
