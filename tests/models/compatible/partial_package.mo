// options --compatible
// expect y(1) = 1 ± 1e-12
partial package P
  constant Real x = 1;
end P;
model M
  block Sized
    parameter input Integer n; // warning I032 with cannot be declared 'parameter'
    Real v[n] = fill(time, n);
  end Sized;
  Sized s(n = 2);
  Real y = P.x; // warning I041 with is partial
end M;
