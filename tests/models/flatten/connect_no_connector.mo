// expect error F002 line 7 with 'a' is not a connector
// expect error F002 line 7 with 'b' is not a connector
model A Real x = 1; end A;
model Wrong
  A a, b;
equation
  connect(a, b);
end Wrong;
