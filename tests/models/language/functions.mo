model Functions
  function horner
    input Real c[:], x;
    output Real y = 0;
  algorithm
    for i in size(c, 1):-1:1 loop
      y := y*x + c[i];
    end for;
  end horner;
  function twice
    input Real u;
    output Real a, b;
  algorithm
    a := 2*u;
    b := if u > 0.5 then 1 else 0;
  end twice;
  function newton "square root"
    input Real u;
    output Real y;
  protected
    Real d = 1;
  algorithm
    y := u;
    while abs(d) > 1e-12 loop
      d := (y*y - u)/(2*y);
      y := y - d;
      if y < 0 then
        break;
      end if;
    end while;
  end newton;
  Real p = horner({1, 2, 3}, time), a, b, r = newton(2 + time);
equation
  (a, b) = twice(time);
end Functions;
// expect p(1) = 6 ± 1e-12
// expect a(1) = 2 ± 1e-12
// expect b(1) = 1 ± 0
// expect r(1) = sqrt(3) ± 1e-9
