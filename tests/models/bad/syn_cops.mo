model A
  Boolean b = time > 1 && time < 2;
  Boolean c = time != 1;
end A;
// expect error S008 line 2
// expect error S008 line 3
