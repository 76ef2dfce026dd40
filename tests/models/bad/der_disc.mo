model A
  discrete Real x(start = 0);
  Real y;
equation
  when time > 1 then
    x = 1;
  end when;
  y = der(x);
end A;
// expect error D006 line 8
