model A
  Boolean b;
equation
  b = noEvent(time > 1);
end A;
// expect error D011 line 4
