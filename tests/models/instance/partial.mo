// expect error I022 line 4
partial model A Real x; end A;
model Wrong
  A a;
end Wrong;
