// expect error I012 line 7 with it is a constant
model A
  replaceable constant Real x = 1;
end A;
model M
  extends A;
  redeclare Real x = 2;
end M;
