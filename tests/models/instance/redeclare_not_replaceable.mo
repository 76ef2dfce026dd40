// expect error I012 line 5 with not replaceable
model A Real x = 1; end A;
model M A a; end M;
model Redeclare
  M m(redeclare A a);
end Redeclare;
