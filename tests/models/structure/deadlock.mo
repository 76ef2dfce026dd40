model Deadlock "Two when-clauses that wait for each other"
  Real x(start = 0, fixed = true);
  discrete Real a(start = 0), b(start = 0);
equation
  der(x) = 1;
  when x > 1 then
    a = b + 1;
  end when;
  when x > 2 then
    b = a + 1;
  end when;
end Deadlock;
// expect error T005 line 7 with break the loop with pre()
