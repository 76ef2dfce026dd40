model A
  discrete Real x(start = 0);
equation
  when time > 1 then
    x = 1;
  end when;
  when time > 2 then
    x = 2;
  end when;
end A;
// expect error D009 line 8
