model A
  model B
    parameter Real k = 1;
    Real x = k;
  end B;
  B b(k = 2, k = 3);
end A;
// expect error I011 line 6
