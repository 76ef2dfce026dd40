// Two functions of an operator take the operands equally well (section 14.5)
operator record V
  Real x;
  encapsulated operator '*'
    function left
      import V;
      input V a;
      input V b;
      output V c;
    algorithm
      c.x := a.x*b.x;
    end left;
    function right
      import V;
      input V a;
      input V b;
      output V c;
    algorithm
      c.x := b.x*a.x;
    end right;
  end '*';
end V;
model Ambiguous
  parameter V v(x = 1);
  V p = v*v;
end Ambiguous;
// expect error I124 line 25
