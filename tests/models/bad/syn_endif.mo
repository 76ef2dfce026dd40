model A
  Real x;
equation
  if time > 1 then
    x = 1;
  else
    x = 2;
  endif;
end A;
// expect error S010 line 8
// expect error S010 line 9
