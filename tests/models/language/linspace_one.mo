model LinspaceOne
  parameter Integer n = 1;
  Real x[n] = linspace(0, 1, n);
end LinspaceOne;
// expect error I123 line 3 with at least 2 points
