// expect error R018 line 6 with must be between 0 and 1
// options --stop-time 2
model BadLongest
  Real x, y;
equation
  x = time; y = delay(sin(time), x, 1);
end BadLongest;
