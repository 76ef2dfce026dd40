// expect flat 'a.b.x' = 'world.g'*time
// expect ok
model World parameter Real g = 9.81; end World;
model B
  outer World world;
  Real x = world.g*time;
end B;
model A B b; end A;
model System
  inner World world(g = 10);
  A a;
end System;
