// expect error I031 line 6 with block 'B' cannot extend model 'A'
model A
  Real x = 1;
end A;
block B
  extends A;
end B;
model M
  B b;
end M;
