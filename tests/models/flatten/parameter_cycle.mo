// Bindings that lead back to themselves only through branches that are not taken.
// expect t(0.0) = 4 ± 0
// expect e(0.0) = 8 ± 0
model ParameterCycle
  parameter Boolean from_h = true;
  parameter Real T = if from_h then h/2 else 20;
  parameter Real h = if from_h then 8 else 2*T;
  Real t = T, e = h;
end ParameterCycle;
