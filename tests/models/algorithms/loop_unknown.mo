// A loop of unknown length: the section is a call; its relations on outer variables still yield
// events.
// expect y(0.25) = 0.25 ± 1e-6
// expect y(1) = -3 ± 1e-5
// expect b(0.4) = 0 ± 0
// expect b(0.6) = 1 ± 0
// expect c(0.7) = 2 ± 0
// expect event 0.5
// solvers cvode dopri5
model LoopUnknown
  parameter Integer n = 3;
  Real x(start = 0, fixed = true);
  Real y;
  Boolean b;
  Integer c(start = 0, fixed = true);
equation
  der(x) = 1;
algorithm
  b := x > 0.5;
  y := if b then 0 else x;
  if x > 0.5 then
    for i in 1:n loop
      y := y - x;
    end for;
  end if;
  when x > 0.6 then
    for i in 1:n - 1 loop
      c := c + 1;
    end for;
  end when;
end LoopUnknown;
