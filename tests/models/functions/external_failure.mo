// A call of ModelicaError in external code during a run ends it, with its text and place.
// expect error R015 line 15 with too large: 0.5
model external_failure
  function limited
    input Real x;
    output Real y;
  external "C" y = ext_limited(x)
    annotation(Include = "
      extern void ModelicaFormatError(const char *format, ...);
      static double ext_limited(double x)
      { if (x > 0.5) ModelicaFormatError(\"too large: %.1f\", x); return 2*x; }");
  end limited;
  Real y;
equation
  y = limited(time);
end external_failure;
