model A
  model B
    Real volt = 1;
  end B;
  B b;
  Real x = b.volts;
end A;
// expect error I001 line 6 with did you mean 'volt'
