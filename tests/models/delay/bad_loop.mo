// Each turn of a loop would need a history of its own.
// expect error D001 line 6 with without a fixed number of iterations
model BadLoop
  Real x, y;
  Integer n;
algorithm
  x := time;
  n := 0;
  y := 0;
  while x > n loop
    y := y + delay(x, 0.1);
    n := n + 1;
  end while;
end BadLoop;
