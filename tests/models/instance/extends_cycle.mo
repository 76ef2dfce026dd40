// expect error I004 line 2 with inherits from itself
model A extends B; end A;
model B extends A; end B;
