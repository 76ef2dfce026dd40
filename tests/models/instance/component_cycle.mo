// expect error I004
model A B b; end A;
model B A a; end B;
