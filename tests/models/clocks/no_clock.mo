// expect error F017 line 5 with nothing says by which clock
model NoClock
  Integer n(start = 0);
equation
  n = previous(n) + 1;
end NoClock;
