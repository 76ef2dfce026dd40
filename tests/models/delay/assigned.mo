// delay() of a variable that an algorithm section assigns: the value at its place, also if the
// variable is assigned again later. By expressions, and as a function if a loop has no known
// length.
// expect y(0.25) = 0 ± 1e-6
// expect y(1.0) = sin(0.7) ± 1e-6
// expect z(1.0) = 1 + sin(0.7) ± 1e-6
// expect x(1.0) = 2*sin(1.0) ± 1e-6
// expect w(1.0) = 3*0.6 ± 1e-6
// expect w(0.3) = 0 ± 1e-6
// expect c(1.0) = 0.5 ± 1e-6
model Assigned
  parameter Real T = 0.3;
  Real x, y, z, u, v, w, c;
  Integer n;
algorithm
  x := sin(time);
  y := delay(x, T);
  z := y + 1;
  x := 2*x;
algorithm
  u := 0;
  n := 0;
  while n < 3 loop
    u := u + time;
    n := n + 1;
  end while;
  w := delay(u, 0.4);
  v := w + 1;
algorithm
  c := sin(time);
  if c > 0.5 then
    c := 0.5;
  end if;
  c := delay(c, 0.1);
end Assigned;
