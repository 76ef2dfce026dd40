// expect x(0) = 200 ± 1e-9
// expect y(0) = 220 ± 1e-6
// expect n(1.5) = 1 ± 0
// expect x(2) = 100 ± 1e-6
// A when-equation without initial() is not active at the start: there n is its left limit, for any
// condition. So the start value of x may follow from an equation with n, and the condition from x.
model WhenNotYet
  Real x, y;
  Integer n(start = 0, fixed = true);
initial equation
  y = 220;
equation
  der(x) = 0;
  y = 1.1*x + 7*n;
  when sample(1, 5) and x > 50 then
    reinit(x, x/2);
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 2));
end WhenNotYet;
