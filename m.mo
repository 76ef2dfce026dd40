model M
  block Part
    input Real u;
    output Real y = 2*u;
  end Part;
  Real x(start = 0, fixed = true), y = 2*x, z = y/2;
  Part part[2](each u = x/2);
  Boolean b[1];
equation
  der(x) = 1;
  b[1] = sin(100.19030637241666*x) > 0.9999;
end M;
