model A
  model B
    parameter Real k = 1;
    Real x = k;
  end B;
  B b(k = true);
end A;
// expect error I103 line 6
