// expect error I031 line 6 with cannot extend package
package P
  constant Real c = 1;
end P;
model A
  extends P;
end A;
model M
  A a;
end M;
