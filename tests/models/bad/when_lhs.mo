model A
  discrete Real x(start = 0);
equation
  when time > 1 then
    2*x = 1;
  end when;
end A;
// expect error D008 line 5
