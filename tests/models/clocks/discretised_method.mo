// expect error D001 with a solver method other than
model DiscretisedMethod
  Real x(start = 1), u;
equation
  u = sample(time, Clock(Clock(1, 10), "ExplicitRungeKutta4"));
  der(x) = u - x;
end DiscretisedMethod;
