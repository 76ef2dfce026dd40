model A
  model B
    parameter Real k = 1;
    Real x = k;
  end B;
  B b(kk = 2);
end A;
// expect error I005 line 6 with did you mean 'k'
