// expect error I003 line 5
model A Real x = 1; end A;
model B Integer x = 1; end B;
model Conflict extends A;
  extends B;
end Conflict;
