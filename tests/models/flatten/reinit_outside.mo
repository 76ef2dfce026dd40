// expect error F004 line 6
model Outside
  Real x;
equation
  der(x) = 1;
  reinit(x, 0);
end Outside;
