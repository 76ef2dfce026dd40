// The car axis (Schneider): a rod on two springs over a bumpy road, two constraints, index 3.
// Reference values: Mazzia and Magherini, Test Set for Initial Value Problem Solvers.
// The errors allowed are 100 times the tolerance, relative to the largest value.
// expect xl(3) = 0.493455784275402809e-1 ± 5e-06
// expect yl(3) = 0.496989460230171154 ± 5e-05
// expect xr(3) = 1.04174252488542151681 ± 0.000105
// expect yr(3) = 0.373911027265361257 ± 6.23e-05
// expect vxl(3) = -0.770583684040972358e-1 ± 5e-05
// expect vyl(3) = 0.744686658723778553e-2 ± 3.35e-06
// expect vxr(3) = 0.175568157537232222e-1 ± 5.61e-05
// expect vyr(3) = 0.770341043779251976 ± 0.00021
// solvers auto
// options --stop-time 3 --tolerance 1e-6
model CarAxis
  constant Real m = 10*1e-2^2/2, L0 = 0.5;
  Real yb = 0.1*sin(10*time), xb = sqrt(1 - yb^2);
  Real xl(start = 0), yl(start = 0.5, fixed = true), xr(start = 1), yr(start = 0.5, fixed = true);
  Real vxl(start = -0.5), vyl(start = 0, fixed = true);
  Real vxr(start = -0.5), vyr(start = 0, fixed = true);
  Real left = sqrt(xl^2 + yl^2), right = sqrt((xr - xb)^2 + (yr - yb)^2), lambda1, lambda2;
equation
  der(xl) = vxl;
  der(yl) = vyl;
  der(xr) = vxr;
  der(yr) = vyr;
  m*der(vxl) = (L0 - left)*xl/left + lambda1*xb + 2*lambda2*(xl - xr);
  m*der(vyl) = (L0 - left)*yl/left + lambda1*yb + 2*lambda2*(yl - yr) - m;
  m*der(vxr) = (L0 - right)*(xr - xb)/right - 2*lambda2*(xl - xr);
  m*der(vyr) = (L0 - right)*(yr - yb)/right - 2*lambda2*(yl - yr) - m;
  0 = xl*xb + yl*yb;
  1 = (xl - xr)^2 + (yl - yr)^2;
end CarAxis;
