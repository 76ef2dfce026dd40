// expect error I035 line 7 with imported from packages alone
model P
  encapsulated model A
  end A;
end P;
model M
  import P.A;
  A a;
end M;
