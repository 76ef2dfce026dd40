model DiodeLoop "An exponential in a loop, a stiff Newton problem"
  Real i, v(start = 0.5);
equation
  i = 1e-12*(exp(v/0.025) - 1);
  5*time = 1000*i + v;
end DiodeLoop;
// expect v(0) = 0 ± 1e-9
// expect v(1) = 0.55537404 ± 1e-6
