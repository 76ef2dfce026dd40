// expect error D009 with assigned in two when-clauses
model WhenTwoSections
  Integer n(start = 0), m;
algorithm
  when time > 1 then
    n := 1;
  end when;
algorithm
  when time > 2 then
    n := 2;
  end when;
end WhenTwoSections;
