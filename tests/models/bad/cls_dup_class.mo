package P
  model A
  end A;
  model A
    Real x = 1;
  end A;
end P;
// expect error I003 line 4
