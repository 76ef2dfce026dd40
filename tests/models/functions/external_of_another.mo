// The text of one external function defines what another one calls: both are in one program.
// expect y(0.5) = 7.5 ± 1e-12
model ExternalOfAnother
  function first
    input Real x;
    output Real y;
  external "C" y = kairos_test_first(x)
    annotation(Include = "double kairos_test_second(double x) { return 3*x; }
      double kairos_test_first(double x) { return 2*x; }");
  end first;
  function second
    input Real x;
    output Real y;
  external "C" y = kairos_test_second(x)
    annotation(Include = "double kairos_test_second(double x);");
  end second;
  Real y = second(time + 1) + first(3*time);
end ExternalOfAnother;
