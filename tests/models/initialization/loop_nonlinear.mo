model LoopNonlinear
  Real x(start = 1), y(start = 1);
equation
  x*x + y*y = 25 + time;
  x*y = 12;
end LoopNonlinear;
// options --set x.start=2.5 --set y.start=4.5
// expect x(0) = 3 ± 1e-9
// expect y(0) = 4 ± 1e-9
