// expect warning I040 line 7 with was added to the model
// expect x(1) = 9.81 ± 1e-9
model World
  parameter Real g = 9.81;
end World;
model B
  outer World world;
  Real x = world.g*time;
end B;
model System
  B b1, b2;
  Real x = b2.x;
end System;
