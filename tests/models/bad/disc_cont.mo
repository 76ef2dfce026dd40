model A
  discrete Real x;
equation
  x = time;
end A;
// expect error D011 line 4
