model A
  Real x(strt = 1);
equation
  der(x) = 1;
end A;
// expect error I005 line 2 with did you mean 'start'
