model A
  partial model B
    Real x;
  end B;
  B b;
end A;
// expect error I022 line 5
