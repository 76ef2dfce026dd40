model A
  model B
    parameter Real k = 1;
    Real x = k;
  end B;
  B b[3](k = {1, 2});
end A;
// expect error I102 line 6
