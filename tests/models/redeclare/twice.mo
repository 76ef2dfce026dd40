// expect error I012 line 12 with no longer replaceable
model A
  Real x = 1;
end A;
model B
  replaceable A a;
end B;
model C
  extends B(redeclare A a);
end C;
model D
  extends C(redeclare A a);
end D;
model M D d; end M;
