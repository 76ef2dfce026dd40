model A
  model B
  protected
    Real x = 1;
  end B;
  B b;
  Real y = b.x;
end A;
// expect error I013 line 7
