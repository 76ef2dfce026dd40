model InitialAlgorithm
  Real x;
  parameter Integer n = 4;
initial algorithm
  x := 0;
  for i in 1:n loop
    x := x + i;
  end for;
equation
  der(x) = -x;
end InitialAlgorithm;
// expect x(0) = 10 ± 0
