model Enumerations
  type Mode = enumeration(off "rest", low, high);
  Mode mode(start = Mode.off, fixed = true);
  Real power = if mode == Mode.off then 0 elseif mode == Mode.low then 1 else 5;
  Integer k = Integer(mode);
  Real table[Mode] = {10, 20, 30};
  Real t = table[mode];
equation
  when time >= 0.2 then
    mode = Mode.low;
  elsewhen time >= 0.6 then
    mode = Mode.high;
  end when;
end Enumerations;
// expect power(0.1) = 0 ± 0
// expect power(0.5) = 1 ± 0
// expect power(0.9) = 5 ± 0
// expect k(0.9) = 3 ± 0
// expect t(0.5) = 20 ± 0
