// expect error I031 line 6 with replaceable and cannot be extended
model M
  replaceable model A
    Real x = 1;
  end A;
  extends A;
end M;
