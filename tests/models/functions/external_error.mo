// A call of ModelicaError in external code ends the evaluation, with its text.
// expect error I090 with the sky is falling: 3
model ExternalError
  function fails
    input Integer k;
    output Real y;
    external "C" y = ext_fails(k) annotation(Include="
      extern void ModelicaFormatError(const char *format, ...);
      static double ext_fails(int k) { ModelicaFormatError(\"the sky is falling: %d\", k); return 0;
      }");
  end fails;
  constant Real c = fails(3);
  Real x = c;
end ExternalError;
