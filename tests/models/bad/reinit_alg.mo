model A
  Real x;
equation
  x = time;
  when time > 0.5 then
    reinit(x, 0);
  end when;
end A;
// expect error T009 line 6
