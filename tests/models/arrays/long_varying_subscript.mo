// An element of a long array, by a subscript that varies: chosen by halving.
// options --stop-time 2.55
// expect y(0.05) = 0
// expect y(0.75) = 70
// expect y(2.55) = 250
// expect z(2.55) = 6
// expect n(0.15) = 3
model LongVaryingSubscript
  parameter Real a[260] = {i - 1 for i in 1:260};
  Real b[20, 13] = {{i for j in 1:13} for i in 1:20};
  Integer m[40] = 2:41;
  Integer k(start = 0, fixed = true), n = m[k + 1];
  Real y = a[k*10 + 1], z = b[mod(k, 20) + 1, 13];
equation
  when sample(0.1, 0.1) then
    k = pre(k) + 1;
  end when;
end LongVaryingSubscript;
