model A
  discrete Real x(start = 0);
equation
  when time then
    x = 1;
  end when;
end A;
// expect error F004 line 4
