model BadDeadlock "1999's x and y: clauses with different conditions wait for each other"
  Real x, y, u = time;
equation
  when time > 1 then
    x = 0.5*y + u;
  end when;
  when time > 2 then
    y = 0.5*x;
  end when;
end BadDeadlock;
// expect error T005 with algebraic loop between when-clauses
