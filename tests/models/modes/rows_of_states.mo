// Only v is written, which is a state of the model but not of the mode in which the diode conducts:
// rows there need its equation.
// options --variables ^v$
// expect v(0.1) = sin(0.1) ± 1e-9
// expect v(1) = sin(1) ± 1e-9
// expect v(2) = 1 ± 1e-6
model RowsOfStates
  Real v(start = 0, fixed = true), i, s, u;
  Boolean off;
equation
  off = s < 0;
  u = if off then s else 0;
  i = if off then 0 else s;
  u = sin(time) - v;
  der(v) = i;
  annotation(experiment(StopTime = 2));
end RowsOfStates;
