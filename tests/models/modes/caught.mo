// Four stones fall and are caught by ropes of different lengths, one after the other: each
// constrains its position and so its velocity, the others fall on.
// expect event sqrt(1/9.81)
// expect event sqrt(2/9.81)
// expect event sqrt(4/9.81)
// expect a[1].T(0.9) = 9.81 ± 1e-6
// expect a[4].y(0.5) = -9.81/8 ± 1e-6
// expect a[4].y(0.9) = -2 ± 1e-8
// expect a[4].v(0.9) = 0 ± 1e-8
// solvers auto cvode dopri5 inline-radau
// options --stop-time 1 --tolerance 1e-8
model Caught
  model Stone
    parameter Real L = 1;
    Real y(start = 0, fixed = true), v(start = 0, fixed = true), T, s;
  equation
    der(y) = v;
    der(v) = -9.81 + T;
    if s > 0 then
      T = s;
      y = -L;
    else
      T = 0;
      y = -L - s;
    end if;
  end Stone;
  Stone a[4](L = {0.5, 1, 1.5, 2});
end Caught;
