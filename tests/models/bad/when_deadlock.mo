model A
  Real x(start = 0), y(start = 0);
equation
  when time > 1 then
    x = y + 1;
  end when;
  when time > 2 then
    y = x + 1;
  end when;
end A;
// expect error T005 line 5
