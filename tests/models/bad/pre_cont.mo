model A
  Real x(start=0,fixed=true);
  Real y;
equation
  der(x) = 1;
  y = pre(x);
end A;
// expect error D007 line 6
