model BadEqual "Reals cannot be compared for equality outside functions"
  Real u = sin(time);
  Boolean b = u == 0.5;
end BadEqual;
// expect error I112 line 3
