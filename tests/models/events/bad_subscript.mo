model BadSubscript "A subscript that leaves an Integer array while the model runs"
  Integer i(start = 1, fixed = true), a[3] = {10, 20, 30}, y;
equation
  when sample(0.1, 0.1) then
    i = pre(i) + 1;
  end when;
  y = a[i];
end BadSubscript;
// expect error R004 line 7
