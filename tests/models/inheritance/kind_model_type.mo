// expect error I031 line 4 with cannot extend type
type T = Real;
model A
  extends T;
end A;
model M
  A a = 1;
end M;
