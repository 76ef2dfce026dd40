// An operator that the record does not define; no conversion goes from a record to a number
// (section 14.5)
operator record V
  Real x;
  encapsulated operator function '+'
    import V;
    input V a;
    input V b;
    output V c;
  algorithm
    c.x := a.x + b.x;
  end '+';
end V;
model NoOperator
  parameter V v(x = 1);
  V ok = v + v;
  V difference = v - v;
end NoOperator;
// expect error I101 line 17 with not defined
