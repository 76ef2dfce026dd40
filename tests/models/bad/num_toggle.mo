model A
  Boolean b(start = false, fixed = true);
equation
  b = not pre(b);
end A;
// expect error R005
