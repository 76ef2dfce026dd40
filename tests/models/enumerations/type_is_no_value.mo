// The name of an enumeration is a value only as a range
model TypeIsNoValue
  type E = enumeration(a, b);
  E e[2] = E;
end TypeIsNoValue;
// expect error I002 line 4
