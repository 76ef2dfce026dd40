// expect error I038 line 3 with its size is 3, not 2
model A
  outer Real p[2];
end A;
model M
  inner Real p[3] = {1, 2, 3};
  A a;
end M;
