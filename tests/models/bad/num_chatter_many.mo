// A relay in a loop with more relations than can be searched chatters, but every instant has a
// solution. x = 7 is reached at 0.5/13 + 1/11 + 1/9 + 1/7 + 1/5 + 1/3 + 1 = 1.9167.
// options --stop-time 10 --chattering stop
// expect error R006 with chatters at time = 1.9166
model ManyRelations
  parameter Real g = 0;
  Real x(start = 0.5, fixed = true), y, z[13], u[13];
equation
  for i in 1:13 loop
    z[i] = x - i - g*y;
    u[i] = if z[i] > 0 then -1 else 1;
  end for;
  y = sum(u);
  der(x) = y;
end ManyRelations;
