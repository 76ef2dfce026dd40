model BallPlastic "e = 0: rest from the first impact"
  parameter Real e = 0, g = 9.81, vSmall = 1e-5;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Boolean flying(start = true, fixed = true);
equation
  der(h) = v;
  der(v) = if flying then -g else 0;
  when h <= 0 then
    flying = -e*pre(v) > vSmall;
    reinit(v, if flying then -e*pre(v) else 0);
  end when;
end BallPlastic;
// solvers cvode dopri5 rk4 euler
// expect h(1) = 0 ± 1e-8
// expect v(1) = 0 ± 0
// expect event sqrt(2/9.81) ± 2e-3
