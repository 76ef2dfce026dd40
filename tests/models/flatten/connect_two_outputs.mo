// expect error F002 with two outputs
connector RealOutput = output Real;
block Source RealOutput y = time; end Source;
model Outputs
  Source a, b;
equation
  connect(a.y, b.y);
end Outputs;
