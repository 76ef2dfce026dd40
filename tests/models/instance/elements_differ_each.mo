// `each` reaches the elements of an array also if they differ in structure.
// expect y(0) = 13
model ElementsDifferEach
  model Source
    parameter Boolean has = true;
    parameter Real f = 1;
    Real v if has;
    Real y = f;
  end Source;
  Source s[3](each f = 2, has = {true, false, true}, v = {1, 2, 3});
  Source t[2](has = {true, false}, each y(min = 0), each f = 3.5, v = {4, 5});
  Real y = sum(s.y) + sum(t.y);
end ElementsDifferEach;
