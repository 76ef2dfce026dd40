// expect error I020 line 8 with second body
model TwoBodies
  function f
    input Real a;
    output Real b;
  algorithm
    b := a;
  algorithm
    b := 2*a;
  end f;
  Real x = f(time);
end TwoBodies;
