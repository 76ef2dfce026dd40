// expect flat Real 's[1].x'(unit = "V")
// expect flat Real 's[2].x'(unit = "A")
model S
  Real x = time;
end S;
model Units
  S s[2](x(unit = {"V", "A"}));
end Units;
