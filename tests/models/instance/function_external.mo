// expect ok
// expect flat external "C" y = myfun(x, size(v, 1), v) annotation(Include = {"#include <math.h>"}, Library = {"m"});
function ext
  input Real x;
  input Real v[:];
  output Real y;
  external "C" y = myfun(x, size(v, 1), v) annotation(Library = "m", Include = "#include <math.h>");
end ext;
model External
  Real y = ext(time, {1, 2});
end External;
