// expect error I039 line 7 with cannot be modified
model A
  outer parameter Real p;
end A;
model M
  inner parameter Real p = 1;
  A a(p = 2);
end M;
