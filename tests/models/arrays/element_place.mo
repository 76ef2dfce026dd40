// An error in one element of a list is shown where this element is written.
model ElementPlace
  Integer a, b;
  Boolean p[2] = {b > 1,
                  a > 0};
  Real x[3] = {
    time,
    1/(time - time),
    3};
equation
  a = if pre(p[1]) then 1 else 2;
  b = if pre(p[2]) then 1 else 2;
end ElementPlace;
// expect error R004 line 8
