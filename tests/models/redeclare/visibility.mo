// expect error I012 line 8 with it is public, but protected here
model A
  replaceable Real x = 2;
end A;
model B
  extends A;
protected
  redeclare Real x = 3;
end B;
model M B b; end M;
