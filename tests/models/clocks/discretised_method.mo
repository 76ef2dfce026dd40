// expect error D001 with by a solver method that Modelica does not define
model DiscretisedMethod
  Real x(start = 1), u;
equation
  u = sample(time, Clock(Clock(1, 10), "ExplicitHeun"));
  der(x) = u - x;
end DiscretisedMethod;
