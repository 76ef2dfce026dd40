model ShortThatCannotBe "Other equations exclude positions that would short the source, or a "
  + "parameter does, or they never happen in the run"
  parameter Boolean ideal = false;
  Real v = 10, i, i2, i3, x(start = 0, fixed = true);
  Boolean blocked = time < 0.5, conducts = not blocked, large = x > 10,
    shorted = ideal and time > 0.5;
equation
  der(x) = 1;
  0 = if blocked and conducts then v else i - 2;
  0 = if large then v else i2 - 3;
  0 = if shorted then v else i3 - 4;
end ShortThatCannotBe;
// expect i(1) = 2 ± 1e-9
// expect i2(1) = 3 ± 1e-9
// expect i3(1) = 4 ± 1e-9
