// The subscript of a long array leaves it.
// options --stop-time 3
// expect error R004 with a subscript is out of range at time = 2.6
model LongVaryingSubscriptOutside
  parameter Real a[260] = {i - 1 for i in 1:260};
  Integer k(start = 0, fixed = true);
  Real y = a[k*10 + 1];
equation
  when sample(0.1, 0.1) then
    k = pre(k) + 1;
  end when;
end LongVaryingSubscriptOutside;
