model A
  A a;
end A;
// expect error I004 line 2
