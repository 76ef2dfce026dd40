// expect error I038 line 3 with predefined types differ
model A
  outer Integer p;
end A;
model M
  inner Real p = 1;
  A a;
end M;
