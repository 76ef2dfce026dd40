model BadTwoReinits "reinit of one state, once through an alias, in two clauses"
  Real x(start = 1, fixed = true), y = -x;
equation
  der(x) = -1;
  when x < 0.5 then
    reinit(x, 1);
  end when;
  when x < 0.2 then
    reinit(y, -2);
  end when;
end BadTwoReinits;
// expect error T009 line 9 with two when-clauses
