// A vector of conditions; reinit and terminate in a section.
// expect x(0.5) = 0.5 ± 1e-6
// expect x(1.5) = 10.5 ± 1e-6
// expect x(2.5) = -0.5 ± 1e-6
// expect hits(2.5) = 2 ± 0
// expect event 1
// expect event 2
// solvers cvode dopri5 rk4 euler
// options --stop-time 5
model WhenVector
  Real x(start = 0, fixed = true);
  Integer hits(start = 0, fixed = true);
equation
  der(x) = if time < 2 then 1 else -1;
algorithm
  when {x > 1 and x < 5, time > 2} then
    hits := pre(hits) + 1;
    if time > 1.5 then
      reinit(x, 0);
    else
      reinit(x, 10);
    end if;
  elsewhen time > 3 then
    terminate("enough");
  end when;
end WhenVector;
