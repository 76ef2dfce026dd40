// External code that calls exit, at any depth, is an error of the model; the program goes on.
// expect error R015 line 16 with its code called exit(0)
model external_exit
  function limited
    input Real x;
    output Real y;
  external "C" y = ext_ending(x)
    annotation(Include = "
      #include <stdlib.h>
      static void give_up(void) { exit(0); }
      static double ext_ending(double x)
      { if (x > 0.5) give_up(); return 2*x; }");
  end limited;
  Real y;
equation
  y = limited(time);
end external_exit;
