// A model that has nothing but parameters: these are its result.
// solvers cvode
// expect p(1) = 3
// expect q(0) = 6
model ParametersAlone
  parameter Real p = 3;
  final parameter Real q = 2*p;
end ParametersAlone;
