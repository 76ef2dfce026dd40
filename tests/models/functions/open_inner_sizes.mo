// expect s(1) = 188/6 ± 1e-9
// expect t(1) = 224 ± 1e-9
// expect s(0.2) = (0.2 + 3)*(1.5 + 3) ± 1e-6
// Arrays in arrays whose inner size only the call tells, and sums of such vectors.
model OpenInnerSizes
  function f
    input Real a[:];
    input Integer m;
    output Real s;
    output Real t;
  protected
    Real c[size(a, 1), m] = {{a[i]*j for j in 1:m} for i in 1:size(a, 1)};
    Real d[m];
  algorithm
    s := sum({{a[i]/j for j in 1:m} for i in 1:size(a, 1)}) + sum(c);
    d := sum(c[i, :] for i in 1:size(a, 1));
    t := d*d;
  end f;
  Real s, t;
  Integer m = if time > 0.5 then 3 else 2;
equation
  (s, t) = f({time, 1, 2}, m);
end OpenInnerSizes;
