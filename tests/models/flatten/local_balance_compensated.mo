// One component has an equation too few and another one too many: each is reported, although the
// whole is balanced (section 4.7).
// expect error F015 line 5 with model 'Compensated.Few' has 1 equation of its own for 2 unknowns
// expect error F015 line 10 with model 'Compensated.Many' has 2 equations of its own for 1 unknown
model Compensated model Few
    Real x, y;
  equation
    x = time;
  end Few;
  model Many
    Real z;
  equation
    z = time;
    z = 2*time;
  end Many;
  Few few;
  Many many;
end Compensated;
