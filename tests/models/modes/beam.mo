// A beam on two supports that only push; a load of 10 wanders out. Both hold until it is beyond one
// of them, then the beam tilts off the other.
// expect event asin(1/1.5)
// expect F[1](0.3) = 5 - 5*1.5*sin(0.3) ± 1e-6
// expect F[2](0.3) = 5 + 5*1.5*sin(0.3) ± 1e-6
// expect min F[1] >= -1e-6
// expect min g[1] >= -1e-7
// expect min g[2] >= -1e-7
// solvers auto cvode dopri5
// options --stop-time 1.5 --tolerance 1e-8 --intervals 1500
model Beam
  Real y(start = 0, fixed = true), p(start = 0, fixed = true), v(start = 0, fixed = true),
    w(start = 0, fixed = true);
  Real F[2], s[2], g[2] = {y - p, y + p} "gaps", a = 1.5*sin(time) "where the load is";
equation
  der(y) = v;
  der(p) = w;
  der(v) = -10 + F[1] + F[2];
  der(w) = -10*a - F[1] + F[2];
  for i in 1:2 loop
    if s[i] > 0 then
      F[i] = s[i];
      g[i] = 0;
    else
      F[i] = 0;
      g[i] = -s[i];
    end if;
  end for;
end Beam;
