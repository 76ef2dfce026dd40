// Start values that --set changes are the previous values at the first tick, also in arrays and in
// partitions that a clock discretizes: with z[k] = z[k](start) + 0.5 n after n ticks, and
// x = 1 + (x(start) - 1)*0.75^(n - 1) by the explicit method of Euler.
// options --set i.start=7 --set z[2].start=10 --set x.start=5
// expect i(0) = 8
// expect i(0.6) = 10
// expect z[1](0.6) = 4.5 ± 1e-12
// expect z[2](0.6) = 11.5 ± 1e-12
// expect x(0) = 5 ± 1e-12
// expect x(0.6) = 1 + 4*0.75**2 ± 1e-12
model StartValuesSet
  Integer i(start = 2);
  Real z[2](start = {3, 4}), x(start = 2), u;
equation
  when Clock(0.25) then
    i = previous(i) + 1;
    for k in 1:2 loop
      z[k] = previous(z[k]) + 0.5;
    end for;
  end when;
  u = sample(1.0, Clock(Clock(0.25), solverMethod = "ExplicitEuler"));
  der(x) = u - x;
end StartValuesSet;
