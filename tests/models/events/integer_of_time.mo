// expect n(0.95) = 9 ± 0
// expect i(0.95) = 9 ± 0
// expect n(0.35) = 3 ± 0
// expect i(0.35) = 3 ± 0
// expect down(0.35) = -4 ± 0
// expect c(0.35) = 4 ± 0
// expect m(0.35) = 0.05 ± 1e-12
// expect m(0.69) = 0.09 ± 1e-12
// Three times a tenth is not three tenths to the last bit: at the instants where time/0.1 reaches a
// whole number it has reached it.
model IntegerOfTime
  Integer n(start = 0, fixed = true);
  Integer i = integer(time/0.1);
  Real down = floor(-time/0.1), c = ceil(time/0.1), m = mod(time, 0.1);
equation
  when integer(time/0.1) > pre(n) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end IntegerOfTime;
