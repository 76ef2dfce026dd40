// Every row of a delayed state is right, also where events divide the recorded steps: jumps that
// arrive through a delay and through a pipe, and crossings between them.
// solvers high
// expect max wrong <= 1e-9
// expect event 0.55
// expect event 0.2 + 0.32/0.9
// expect event 0.7
model HistoryAtEvents
  Real x(start = 0, fixed = true), u = if time < 0.2 then 0 else 1, y, back;
  Real q = delay(x, 0.25), w = delay(u, T, 1), T = 0.3 + 0.1*time;
  Real wrong = noEvent(abs(q - max(time - 0.25, 0)));
  Boolean b = q > 0.3;
equation
  der(x) = 1;
  (back, y) = spatialDistribution(u, 0, 2*x, true);
end HistoryAtEvents;
