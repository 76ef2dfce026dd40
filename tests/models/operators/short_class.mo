// A class that is short for an operator record has its operators and is the same type (section
// 14.3)
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
  encapsulated operator function '<'
    import V;
    input V a;
    input V b;
    output Boolean c;
  algorithm
    c := a.x < b.x;
  end '<';
end V;
operator record Length = V(x(unit = "m"));
connector VOutput = output V;
block Source
  VOutput y = V(time);
end Source;
model ShortClass
  Length a = V(2);
  V b = a + V(3);
  Source source;
  V c = source.y + a;
  parameter Length p(x = 1), q(x = 2);
  Boolean less = p < q;
end ShortClass;
// expect b.x(1.0) = 5 ± 1e-9
// expect c.x(1.0) = 3 ± 1e-9
// expect less(1.0) = 1 ± 1e-9
