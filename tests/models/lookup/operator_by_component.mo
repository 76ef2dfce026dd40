// expect error I002 line 14 with cannot be called through a component
operator record P
  Real a;
  encapsulated operator function '+'
    import P;
    input P x;
    input P y;
    output P z = P(a = x.a + y.a);
  end '+';
end P;
model M
  P p(a = 1);
  P q(a = 2);
  P r = p.'+'(p, q);
end M;
