// expect error I121 line 9 with no field c
model AccessUnknown
  record R
    Real a;
  end R;
  function f
    input Real u; output R r;
  algorithm r.a := u; end f;
  Real x = (f(time)).c;
end AccessUnknown;
