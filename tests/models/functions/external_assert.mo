// An assertion of C that fails in external code is an error of the model.
// expect error R015 line 15 with assertion 'x < 0.5' failed
model external_assert
  function limited
    input Real x;
    output Real y;
  external "C" y = ext_asserting(x)
    annotation(Include = "
      #include <assert.h>
      static double ext_asserting(double x)
      { assert(x < 0.5); return 2*x; }");
  end limited;
  Real y;
equation
  y = limited(time);
end external_assert;
