// expect error I013 line 6 with cannot be modified from outside
model A
protected
  parameter Real x = 1;
end A;
model M A a(x = 2); end M;
