// Each program keeps its own texts: a String goes along when the mode changes.
// expect warning R008 with after run 10 of run 9 of run 8 of run 7 of run 6 of run 5 of run 4 of run 3 of run 2 of run 1 of none
// expect length(3) = 10
// options --stop-time 3.2
model StringsGoAlong
  Real w1(start = 10, fixed = true), w2(start = 0, fixed = true), t;
  Boolean joined = time >= 1 and time < 2;
  String name(start = "none", fixed = true);
  discrete Integer length(start = 0, fixed = true);
equation
  der(w1) = 1 - t;
  2*der(w2) = t;
  if joined then w1 = w2; else t = 0; end if;
  when sample(0.3, 0.3) then
    length = pre(length) + 1;
    name = "run " + String(length) + " of " + pre(name);
  end when;
  when terminal() then
    assert(false, "after " + name, AssertionLevel.warning);
  end when;
end StringsGoAlong;
