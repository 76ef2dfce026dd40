model A
  Integer n(start = 0, fixed=true);
equation
  when sample(0, -1) then
    n = pre(n) + 1;
  end when;
end A;
// expect error R012 line 4
