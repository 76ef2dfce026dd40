// expect error I035 line 7 with only elements of packages can be imported
model P
  encapsulated model A
  end A;
end P;
model M
  import P.A;
  A a;
end M;
