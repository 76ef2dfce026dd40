model SameCondition "With the same condition the loop has a solution: y = k2*u/(1 - k1*k2)"
  parameter Real k1 = 0.5, k2 = 0.4;
  discrete Real x, y;
  Real u = 1 + time;
equation
  when sample(0.5, 0.5) then
    x = k1*y + u;
    y = k2*x;
  end when;
  annotation(experiment(StopTime = 1));
end SameCondition;
// expect y(0.5) = 0.4*1.5/(1 - 0.2) ± 1e-12
// expect y(1) = 0.4*2/(1 - 0.2) ± 1e-12
