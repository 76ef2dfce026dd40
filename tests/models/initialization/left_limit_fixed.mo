// expect error R003 line 6
// The left limit of u has a fixed start value, so the conditions for x contradict each other.
model LeftLimitFixed
  discrete Real u(start = 7, fixed = true);
  Real x;
initial equation der(x) = 0; x = 3;
equation
  der(x) = u - x;
  when time >= 1 then
    u = pre(u) + 1;
  end when;
end LeftLimitFixed;
