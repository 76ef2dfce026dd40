model P
  Real x(start = 1, fixed = true), f; equation f = 10000000.0*(cos(time) - x); der(x) = f;
end P;
