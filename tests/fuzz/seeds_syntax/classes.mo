within A.B;
final encapsulated partial package P "d" + "e"
  import X = A.B.C;
  import A.B.*;
  import A.{b, c} "comment";
  type T = enumeration(a "first", b annotation(x=1), 'q "r\'s') "e";
  type U = enumeration(:);
  type V = input Real[3, :](each final unit="m", start={1, 2.5e-3, .5}) annotation(Evaluate=true);
  function dF = der(F, x, y);
  pure function F input Real x; output Real y; external "C" y = f(x, size(x, 1))
    annotation(Library="m"); end F;
  impure operator function G external; end G;
  operator record R operator 'constructor' function f end f; end 'constructor'; end R;
  expandable connector E end E;
  redeclare replaceable model extends M(final a=2, redeclare replaceable Real q constrainedby
    Real(min=0)) "x"
  protected inner outer flow discrete input Real x[3](start=1)=2 if b "c", y; stream output T z;
  public parameter Real k := 3; constant Integer n=break;
  end M;
  replaceable block B = C(redeclare each final model Z = Y(a.b(c)=1) "d") constrainedby D(x=1) "k"
    annotation(y);
  extends Q(break x, break connect(a.b, c[1]), y=2) annotation(z);
  annotation(Icon(graphics={Line(points={{1, 2}, {3, 4}})}), Documentation(info="<html>
 a \\ \" b</html>"));
end P;
