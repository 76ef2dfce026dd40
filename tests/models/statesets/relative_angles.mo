// Two point masses on rods; the relative angles are to be states always. They enter through the
// absolute ones, which constraints differentiate twice: the
// relation between the two has to be differentiated twice as well, else the absolute angles would
// be the states.
// solvers cvode dopri5
// options --stop-time 5 --tolerance 1e-8
// expect equations STATES a[1] a[2] der(a[2]) der(a[1]) DIFFERENTIATED
// expect max E <= -27.3527
// expect min E >= -27.3528
model RelativeAngles 
  constant Integer n = 2;
  parameter Real L = 1, m = 1, g = 9.81;
  Real x[n], y[n], vx[n], vy[n], F[n];
  Real a[n](each stateSelect=StateSelect.always, start={0.3, 0.2}, each fixed=true)
    "relative angles";

  Real b[n] "absolute angles";
  Real E = sum(0.5*m*(vx[i]^2 + vy[i]^2) + m*g*y[i] for i in 1:n);
  Real va2 = der(a[2]);
equation

  b[1] = a[1]; b[2] = b[1] + a[2];
  x[1] = L*sin(b[1]); y[1] = -L*cos(b[1]);
  x[2] = x[1] + L*sin(b[2]); y[2] = y[1] - L*cos(b[2]);
  der(x) = vx; der(y) = vy;
  m*der(vx[1]) = -F[1]*sin(b[1]) + F[2]*sin(b[2]);
  m*der(vy[1]) = F[1]*cos(b[1]) - F[2]*cos(b[2]) - m*g;
  m*der(vx[2]) = -F[2]*sin(b[2]);
  m*der(vy[2]) = F[2]*cos(b[2]) - m*g;
end RelativeAngles;
