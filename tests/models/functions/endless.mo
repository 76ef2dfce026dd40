// expect error R014 line 9 with does not end
model endless
  function forever
    input Real u;
    output Real v;
  algorithm
    v := u;
    // the increment is lost in rounding
    while v < 1e300 loop
      v := v + 1e-3;
      v := min(v, 10);
    end while;
  end forever;
  Real x(start = 1, fixed = true);
equation
  der(x) = forever(x);
end endless;
