// expect error R018 line 6 with longer than
// options --stop-time 2
model BadLongest
  Real x, y;
equation
  x = time; y = delay(sin(time), x, 1);
end BadLongest;
