// expect error I032 line 6 with cannot be declared 'parameter'
model A
  Real x = 1;
end A;
model M
  parameter A a;
end M;
