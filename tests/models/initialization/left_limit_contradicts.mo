model LeftLimitContradicts
  Boolean b = time > 0.5;
  Integer n(start = 0, fixed = true);
initial equation
  pre(b) = false;
  pre(b) = true;
equation
  when b then
    n = pre(n) + 1;
  end when;
  // expect error R003 line 6
end LeftLimitContradicts;
