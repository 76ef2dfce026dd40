// A loop over a vector of parameters in a section of a model: the values of the vector shape
// the model, so that the section is equations and the
// relation in the condition of its when, with an element that a variable numbers, yields events.
// options --stop-time 1
// expect event 0.1
// expect event 0.35
// expect count(0.2) = 2
// expect y[1](0.2) = 0
// expect y[2](0.2) = 1
// expect y[3](0.2) = 0
// expect y[3](0.5) = 1
model LoopOverParameters
  parameter Integer n = 3;
  parameter Integer switched[:] = {1, 3};
  parameter Real at[:] = {0.1, 0.35};
  Integer count(start = 1, fixed = true);
  Boolean y[n](start = fill(true, n), each fixed = true);
algorithm
  when time > at[count] then
    count := min(count + 1, size(at, 1));
    for k in switched loop
      y[k] := not y[k];
    end for;
  end when;
end LoopOverParameters;
