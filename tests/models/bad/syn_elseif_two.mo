model A
  Real x;
equation
  if time > 1 then
    x = 1;
  else if time > 2 then
    x = 2;
  else
    x = 3;
  end if;
end A;
// expect error S010 line 11
