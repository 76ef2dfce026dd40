// Operators of an operator record, with a constructor that converts Reals (sections 14.3 to 14.5 of
// Modelica 3.6)
operator record Cx
  Real re;
  Real im;

  encapsulated operator 'constructor'
    import Cx;
    function fromReal
      import Cx;
      input Real re;
      input Real im = 0;
      output Cx z(re = re, im = im);
    algorithm
    end fromReal;
  end 'constructor';

  encapsulated operator function '0'
    import Cx;
    output Cx z;
  algorithm
    z := Cx(0);
  end '0';

  encapsulated operator function '+'
    import Cx;
    input Cx a;
    input Cx b;
    output Cx c;
  algorithm
    c := Cx(a.re + b.re, a.im + b.im);
    annotation (Inline = true);
  end '+';

  encapsulated operator '-'
    function negate
      import Cx;
      input Cx a;
      output Cx c = Cx(-a.re, -a.im);
    algorithm
      annotation (Inline = true);
    end negate;
    function subtract
      import Cx;
      input Cx a;
      input Cx b;
      output Cx c;
    algorithm
      c := Cx(a.re - b.re, a.im - b.im);
      annotation (Inline = true);
    end subtract;
  end '-';

  encapsulated operator function '*'
    import Cx;
    input Cx a;
    input Cx b;
    output Cx c;
  algorithm
    c := Cx(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re);
    annotation (Inline = true);
  end '*';

  encapsulated operator function '=='
    import Cx;
    input Cx a;
    input Cx b;
    output Boolean c;
  algorithm
    c := a.re == b.re and a.im == b.im;
  end '==';
end Cx;

model ComplexNumbers
  parameter Cx p = Cx(1, 2);
  parameter Cx q = Cx(3);
  Cx s = p + 2*q;
  Cx d = -p - 1;
  Cx m = p*q*Cx(re = 0, im = 1);
  Cx a[2] = {p, q};
  Cx b[2] = {q, p};
  Cx sums[2] = a + b;
  Cx scaled[2] = 2*a;
  Cx w[2] = {{p, q}, {q, p}}*{p, q};
  Cx total = sum(a);
  Cx products[2] = a .* b;
  Boolean same = p == Cx(1, 2);
  Boolean differ = p == q;
  Cx x;
equation
  x*p = Cx(5, 0);
end ComplexNumbers;
// expect s.re(1.0) = 7 ± 1e-9
// expect s.im(1.0) = 2 ± 1e-9
// expect d.re(1.0) = -2 ± 1e-9
// expect d.im(1.0) = -2 ± 1e-9
// expect m.re(1.0) = -6 ± 1e-9
// expect m.im(1.0) = 3 ± 1e-9
// expect sums[1].re(1.0) = 4 ± 1e-9
// expect scaled[1].im(1.0) = 4 ± 1e-9
// expect w[1].re(1.0) = 6 ± 1e-9
// expect w[1].im(1.0) = 4 ± 1e-9
// expect w[2].re(1.0) = 6 ± 1e-9
// expect w[2].im(1.0) = 12 ± 1e-9
// expect total.re(1.0) = 4 ± 1e-9
// expect products[1].im(1.0) = 6 ± 1e-9
// expect same(1.0) = 1 ± 1e-9
// expect differ(1.0) = 0 ± 1e-9
// expect x.re(1.0) = 1 ± 1e-9
// expect x.im(1.0) = -2 ± 1e-9
