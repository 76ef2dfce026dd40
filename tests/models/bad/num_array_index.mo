model A
  Real t[3] = {1, 2, 3};
  Integer i(start = 1, fixed=true);
  Real y = t[i];
equation
  when sample(0.1, 0.1) then
    i = pre(i) + 1;
  end when;
end A;
// expect error R004 line 4
