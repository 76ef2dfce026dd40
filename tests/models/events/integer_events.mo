model IntegerEvents "integer, floor, ceil, div, mod, rem, sign, abs"
  Real s = sin(6.283185307179586*time);
  Integer i = integer(3*time);
  Real f = floor(2*time), c = ceil(2*time), m = mod(time, 0.4);
  Real g = sign(s);
  Real a = abs(s);
end IntegerEvents;
// expect i(0.5) = 1 ± 0
// expect i(0.99) = 2 ± 0
// expect f(0.7) = 1 ± 0
// expect c(0.7) = 2 ± 0
// expect m(0.9) = 0.1 ± 1e-12
// expect g(0.25) = 1 ± 0
// expect g(0.75) = -1 ± 0
// expect a(0.75) = 1 ± 1e-9
// expect event 1/3
// expect event 0.4
// expect event 0.5
