model DiodeLoop "An exponential in a loop, a stiff Newton problem"
  Real i, v(start = 0.5);
equation
  i = 1e-12*(exp(v/0.025) - 1);
  5*time = 1000*i + v;
end DiodeLoop;
// v + 1e-9*(exp(40*v) - 1) increases with v; bisection finds where it is 5.
// expect v(0) = 0 ± 1e-9
// expect v(1) = 0.555374038859 ± 1e-6
