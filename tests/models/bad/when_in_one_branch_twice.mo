// expect error D009 line 11
model when_in_one_branch_twice
  Boolean late = time > 0.5;
  discrete Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
equation
  if late then
    when time > 0.7 then
      n = 1;
    end when;
    when time > 0.8 then
      n = 2;
    end when;
  else
    when time > 0.7 then
      n = 1;
    end when;
    when time > 0.8 then
      m = 2;
    end when;
  end if;
end when_in_one_branch_twice;
