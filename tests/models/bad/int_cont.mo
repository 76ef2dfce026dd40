model A
  Integer i;
equation
  i = time;
end A;
// expect error D011 line 4
