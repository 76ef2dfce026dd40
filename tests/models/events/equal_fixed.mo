// Discrete variables that are equal have left limits of their own at the start.
// expect c(0) = 1
// expect d(0) = 5
// expect a(0) = 3
// expect a(1) = 7
// expect b(1) = 7
model EqualFixed
  Integer a(start = 1, fixed = true), b(start = 5, fixed = true), c(start = 0, fixed = true),
    d(start = 0, fixed = true);
equation
  b = if time > 0.5 then 7 else 3;
  a = b;
  when initial() then
    c = pre(a);
    d = pre(b);
  end when;
end EqualFixed;
