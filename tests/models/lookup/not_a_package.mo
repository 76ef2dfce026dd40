// expect error I037 line 8 with which is not a package
model A
  Real x = 1;
  model B
    Real y = 2;
  end B;
end A;
model M A.B b; end M;
