package P
  model A
    B b;
  end A;
  model B
    A a;
  end B;
end P;
// expect error I004 line 6
