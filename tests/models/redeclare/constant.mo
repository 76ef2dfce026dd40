// expect error I012 line 5 with is constant
model A
  replaceable constant Real x = 1;
end A;
model M A a(redeclare Real x = 2); end M;
