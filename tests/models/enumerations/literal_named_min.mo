// An enumeration literal must not have the name of an attribute (section 4.9.5.1)
model LiteralNamedMin
  type E = enumeration(low, min);
  parameter E e = E.low;
end LiteralNamedMin;
// expect error I003 line 3 with attribute
