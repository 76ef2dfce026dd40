model A
  discrete Real x(start = 0);
  Real y;
equation
  when time > 1 then
    x = 2*y;
  end when;
  y = x + time;
end A;
// expect error T005 line 6
