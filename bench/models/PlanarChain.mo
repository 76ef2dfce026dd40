package PlanarChain "Bars that hang from one another in a plane: index 3 where written with "
  + "constraints"
  connector Frame
    Real x, y, phi;
    flow Real fx, fy, t;
  end Frame;

  model Bar "of length 1 and mass 1; its frames are its ends"
    Frame a, b;
    Real x, y, vx, vy;
    Real phi(stateSelect = StateSelect.prefer), w(stateSelect = StateSelect.prefer);
    Real energy = 0.5*(vx^2 + vy^2) + w^2/24 + 9.81*y;
  equation
    x = a.x + 0.5*sin(phi);
    y = a.y - 0.5*cos(phi);
    b.x = a.x + sin(phi);
    b.y = a.y - cos(phi);
    a.phi = phi;
    b.phi = phi;
    vx = der(x);
    vy = der(y);
    w = der(phi);
    der(vx) = a.fx + b.fx;
    der(vy) = a.fy + b.fy - 9.81;
    der(w)/12 = a.t + b.t + 0.5*(cos(phi)*(b.fx - a.fx) + sin(phi)*(b.fy - a.fy));
  end Bar;

  model Joint
    Frame a, b;
  equation
    a.x = b.x;
    a.y = b.y;
    a.fx + b.fx = 0;
    a.fy + b.fy = 0;
    a.t = 0;
    b.t = 0;
  end Joint;

  model Wall
    parameter Real x = 0;
    Frame b;
  equation
    b.x = x;
    b.y = 0;
    b.phi = 0;
  end Wall;

  model Chain
    parameter Integer n = 100;
    Bar bar[n](phi(each start = 0.3, each fixed = true), w(each start = 0, each fixed = true));
    Joint joint[n];
    Wall wall;
    Real energy = sum(bar.energy) "does not change";
  equation
    connect(wall.b, joint[1].a);
    for i in 1:n loop
      connect(joint[i].b, bar[i].a);
    end for;
    for i in 2:n loop
      connect(bar[i - 1].b, joint[i].a);
    end for;
    annotation(experiment(StopTime = 1));
  end Chain;

  model Loop "The last end of the chain is on a wall as well"
    parameter Integer n = 20;
    parameter Real angle = 0.5 "of the first half; the second half goes up again";
    Bar bar[n](phi(start = {if 2*i <= n then angle else pi - angle for i in 1:n}));
    Joint joint[n + 1];
    Wall wall, other(x = n*sin(angle));
    Real energy = sum(bar.energy) "does not change";
  protected
    constant Real pi = 2*asin(1);
  initial equation
    for i in 2:n - 1 loop
      bar[i].phi = if 2*i <= n then angle else pi - angle;
      bar[i].w = 0;
    end for;
  equation
    connect(wall.b, joint[1].a);
    for i in 1:n loop
      connect(joint[i].b, bar[i].a);
    end for;
    for i in 2:n loop
      connect(bar[i - 1].b, joint[i].a);
    end for;
    connect(bar[n].b, joint[n + 1].a);
    connect(joint[n + 1].b, other.b);
    annotation(experiment(StopTime = 1));
  end Loop;
end PlanarChain;
