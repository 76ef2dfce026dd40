// expect held.x(0) = 3 ± 1e-9
// expect held.u(0) = 3 ± 1e-9
// expect held.u(1) = 4
// expect held.x(2) = 4 - exp(-1) ± 1e-5
// expect integral.x(2) = 2 ± 1e-6
// expect integral.sum(0) = 2 ± 1e-9
// expect integral.last(0) = 0
// expect active.x(1.5) = 2 ± 1e-6
// expect active.sum(0) = 2 ± 1e-9
// expect output_given.y(0) = 1.5
// expect output_given.u(0) = 1 ± 1e-9
// expect output_given.x(0.9) = 0.5 + 0.9 ± 1e-6
// expect output_given.u(1.0) = 1 + 0.1*(1 - 1.5) ± 1e-6
// Left limits of discrete Reals that are not fixed are unknowns at the start if other conditions
// determine them: a steady state with a given value, or a fixed value of an output. Otherwise they
// have their start values (`last`).
model Held
  discrete Real u(start = 7);
  Real x;
initial equation
  der(x) = 0;
  x = 3;
equation
  der(x) = u - x;
  when time >= 1 then
    u = pre(u) + 1;
  end when;
end Held;

model Integral
  discrete Real sum, last(start = 0);
  Real x;
initial equation
  der(x) = 0;
  x = 2;
equation
  when sample(0.1, 0.1) then
    last = 2 - x;
    sum = pre(sum) + 0.5*last;
  end when;
  der(x) = sum + last - x;
end Integral;

model Active
  discrete Real sum;
  Real x;
initial equation
  der(x) = 0;
  x = 2;
equation
  when {initial(), sample(0.1, 0.1)} then
    sum = pre(sum) + 0.5*(2 - x);
  end when;
  der(x) = sum - x;
end Active;

model OutputGiven
  discrete Real u;
  Real y(start = 1.5, fixed = true), x(start = 0.5, fixed = true);
equation
  when sample(1, 1) then
    u = pre(u) + 0.1*(1 - x);
  end when;
  y = u + 0.5;
  der(x) = u;
end OutputGiven;

model LeftLimitsUnknown
  Held held;
  Integral integral;
  Active active;
  OutputGiven output_given;
  annotation(experiment(StopTime = 2));
end LeftLimitsUnknown;
