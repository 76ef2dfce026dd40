model A
  model B
    final parameter Real k = 1;
    Real x = k;
  end B;
  B b(k = 2);
end A;
// expect error I006 line 6
