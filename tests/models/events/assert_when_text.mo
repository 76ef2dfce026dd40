// The message of an assertion in a when has its own condition, not the edge that leads to it.
// expect error R007 line 9
model AssertWhenText
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when x >= 0.25 then
    // at the instant
    assert(x < 0.2, "too far");
  end when;
end AssertWhenText;
