// A change passes through 160 breakers at one instant, each of which waits for the one before.
// expect event 0.5
// expect last(0.4) = 0
// expect last(0.6) = 1
// expect count(0.6) = 160
model long_cascade
  parameter Integer n = 160;
  Boolean open[n](each start = false, each fixed = true);
  Boolean last = open[n];
  Integer count = sum(if open[i] then 1 else 0 for i in 1:n);
equation
  open[1] = time > 0.5;
  for i in 2:n loop
    open[i] = pre(open[i - 1]);
  end for;
end long_cascade;
