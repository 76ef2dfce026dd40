model A
  Real x;
equation
  if time then x = 1; else x = 2; end if;
end A;
// expect error I103 line 4
