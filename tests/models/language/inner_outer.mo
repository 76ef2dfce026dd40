model InnerOuter
  model World
    parameter Real g = 9.81;
    Real T = 300 + time;
  end World;
  model Body
    outer World world;
    Real v(start = 0, fixed = true), T = world.T;
  equation
    der(v) = -world.g;
  end Body;
  inner World world(g = 2);
  Body a, b[2];
end InnerOuter;
// expect b[2].v(1) = -2 ± 1e-6
// expect a.T(1) = 301 ± 1e-9
