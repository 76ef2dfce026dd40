model num_near_singular "a block whose solution grows beyond all bounds at t = 1"
  // options --stop-time 2
  // expect error R010 with time = 1
  Real x, y, z(start=0, fixed=true);
equation
  (1 + time)*x + 2*y = 1;
  x + y = 3;
  der(z) = x;
end num_near_singular;
