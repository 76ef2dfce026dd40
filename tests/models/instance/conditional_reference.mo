// expect error I018 line 6
model A Real x = 1; end A;
model Conditional
  parameter Boolean use = false;
  A c if use;
  Real x = c.x;
end Conditional;
