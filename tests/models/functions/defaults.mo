// Defaults that depend on other inputs, named arguments, outputs with defaults, local arrays sized
// by inputs, results left out.
// expect a(1.0) = 12 ± 1e-12
// expect b(1.0) = 7 ± 1e-12
// expect c(1.0) = 6 ± 1e-12
// expect d(1.0) = 2 ± 1e-12
// expect e(1.0) = 0 ± 1e-12
model Defaults
  function area
    input Real width;
    input Real height = 2*offset;
    input Real offset = width + 1;
    output Real y = width*height;
  algorithm
  end area;
  function reverse
    input Real v[:];
    output Real w[size(v, 1)];
    output Real first = if size(v, 1) > 0 then v[1] else 0;
    output Integer n = size(v, 1);
  protected
    Real copy[size(v, 1) + 1] = cat(1, v, {0});
  algorithm
    for i in 1:n loop
      w[i] := copy[n + 1 - i];
    end for;
  end reverse;
  function total
    input Real v[:];
    output Real s;
  protected
    Real w[size(v, 1)];
    Real first;
  algorithm
    (w, first) := reverse(v);
    s := 0;
    for i in 1:size(w, 1) loop
      if w[i] < 0 then
        break;
      end if;
      s := s + w[i];
    end for;
    if s > 100 then
      return;
    end if;
    while s > 6 loop
      s := s - 1;
    end while;
  end total;
  constant Real ca = area(2);
  Real a = ca;
  constant Real cb = area(offset=3.5, width=1);
  Real b = cb;
  constant Real cc = total({-5, 3, 7});
  Real c = cc;
  Real d = area(height=1, width=2);
  constant Real ce = total(zeros(0));
  Real e = ce;
end Defaults;
