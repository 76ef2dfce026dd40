// expect x(0) = 6 ± 1e-9
// expect n(0.5) = 4 ± 0
// expect x(1) = 6*exp(-1) ± 1e-5
// solvers cvode dopri5
model InitialSection
  parameter Real p(fixed = false);
  Real x, s;
  Integer n;
initial algorithm
  p := 0;
  for i in 1:2 loop
    p := p + i;
  end for;
  x := 2 * p;
  n := 4;
equation
  der(x) = -x;
algorithm
  s := 2 * x;
  when time > 2 then
    n := 5;
  end when;
end InitialSection;
