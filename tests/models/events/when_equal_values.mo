// Clauses are one system if constants of their conditions have the same value: a literal, a
// parameter, and sums and products of both
model WhenEqualValues
  parameter Real T = 0.1, level = 0.25;
  parameter Integer n = 2;
  discrete Real x1, y1, x2, y2, x3, y3, x4, y4;
equation
  when sample(0.05, T) then
    y1 = 0.5*x1 + time;
  end when;
  when sample(0.05, 0.1) then
    x1 = 0.25*y1;
  end when;
  when time > level + 0.5 then
    y2 = x2 + 1;
  end when;
  when time > 3*level then
    x2 = -y2;
  end when;
  when sample(0.5*T, n*T) then
    y3 = 0.5*x3 + time;
  end when;
  when sample(T - 0.05, 0.2) then
    x3 = 0.25*y3;
  end when;
  when -0.5 > -time then
    y4 = x4 + 1;
  end when;
  when time > n*level then
    x4 = 0.75*y4;
  end when;
  annotation(experiment(StopTime = 1));
end WhenEqualValues;
// expect y1(0.1) = 0.05/(1 - 0.125) ± 1e-9
// expect y1(1) = 0.95/(1 - 0.125) ± 1e-9
// expect x1(1) = 0.25*0.95/(1 - 0.125) ± 1e-9
// expect y2(0.74) = 0
// expect y2(0.76) = 0.5 ± 1e-9
// expect x2(0.76) = -0.5 ± 1e-9
// expect y3(1) = 0.85/(1 - 0.125) ± 1e-9
// expect x4(0.49) = 0
// expect x4(0.51) = 3 ± 1e-9
