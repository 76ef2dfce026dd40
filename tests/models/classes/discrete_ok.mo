// expect x(1) = 1 ± 1e-12
model M
  discrete Real x(start = 0, fixed = true);
equation
  when time > 0.5 then
    x = 1;
  end when;
end M;
