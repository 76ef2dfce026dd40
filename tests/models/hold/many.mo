// Eight relays slide at once, each leaves its surface on its own; three of them enter a product,
// which mixes as the product of the equivalent controls -k*time; two
// drive each other's plant; balls come to rest beside them.
// expect warning R019
// expect warning R020
// expect r[1].x(1) = 0 ± 1e-6
// expect r[6].x(1) = 0 ± 1e-6
// expect p(0.8) = -(0.1*0.8)*(0.2*0.8)*(0.3*0.8) ± 1e-6
// expect r[6].u(1) = -0.6 ± 1e-6
// expect r[6].x(2) = 0.6*(2 - 1/0.6)**2/2 ± 1e-5
// expect q[2](1) = 0 ± 1e-5
// expect b[2].h(2) = 0 ± 1e-6
// options --stop-time 2 --tolerance 1e-7 --intervals 20
// solvers cvode inline-radau
model Many
  model Relay
    parameter Real k = 1;
    Real x(start = k/5, fixed = true), u = if x > 0 then -1 else 1;
  equation
    der(x) = u + k*time;
  end Relay;
  model Ball
    parameter Real e = 0.5;
    Real h(start = 0.1, fixed = true), v(start = 0, fixed = true);
  equation
    der(h) = v;
    der(v) = -9.81;
    when h <= 0 then
      reinit(v, -e*pre(v));
    end when;
  end Ball;
  Relay r[6](k = {i/10 for i in 1:6});
  Real p = product(r[1:3].u), q[2](start = {0.1, 0.2}, each fixed = true), w[2];
  Ball b[2](e = {0.3, 0.4});
equation
  for i in 1:2 loop
    w[i] = if q[i] > 0 then -1 else 1;
    der(q[i]) = w[i]*(2 + 0.25*sum(w)) + 0.1*i;
  end for;
end Many;
