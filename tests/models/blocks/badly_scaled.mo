// Powell's badly scaled function: a block that plain Newton steps leave at once.
// expect x(0) = 1.098159329699759e-5 ± 1e-11
// expect y(0) = 9.106146739866453 ± 1e-6
model BadlyScaled
  Real x(start = 0, nominal = 1e-5), y(start = 1);
equation
  1e4*x*y = 1;
  exp(-x) + exp(-y) = 1.0001;
end BadlyScaled;
