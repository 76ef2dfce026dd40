model ElseWhen
  discrete Real y(start = 0, fixed = true);
equation
  when time >= 0.3 then
    y = 1;
  elsewhen time >= 0.6 then
    y = 2;
  elsewhen sample(0.8, 1) then
    y = pre(y) + 10;
  end when;
end ElseWhen;
// expect y(0.2) = 0 ± 0
// expect y(0.5) = 1 ± 0
// expect y(0.7) = 2 ± 0
// expect y(1) = 12 ± 0
