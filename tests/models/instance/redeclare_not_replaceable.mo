// expect error I012 line 6 with not replaceable
model A Real x = 1; end A;
model B Real x = 2; end B;
model M A a; end M;
model Redeclare
  M m(redeclare B a);
end Redeclare;
