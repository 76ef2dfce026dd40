// expect error I009 line 4 with has no inner component
partial model World parameter Real g = 9.81; end World;
model B
  outer World world;
  Real x = world.g*time;
end B;
model System
  B b;
end System;
