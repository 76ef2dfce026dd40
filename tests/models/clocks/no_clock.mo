// expect error F017 line 5 with no clock is given for it
model NoClock
  Integer n(start = 0);
equation
  n = previous(n) + 1;
end NoClock;
