// expect flat 'm.c.x' = 2.0
model A Real x = 1; end A;
model B Real x = 2; end B;
model M
  replaceable model T = A;
  T c;
end M;
model Redeclare
  M m(redeclare model T = B);
end Redeclare;
