model A
  discrete Real x(start = 0);
equation
  when time > 1 then
    when time > 2 then
      x = 1;
    end when;
  end when;
end A;
// expect error F004 line 5
