model PT1Chain "Three blocks that start in their own steady state"
  block PT1
    parameter Real T = 1;
    input Real u;
    output Real x;
  equation
    T*der(x) = u - x;
    when initial() then
      reinit(x, u);
    end when;
  end PT1;
  PT1 a, b(T = 0.5), c(T = 0.2);
equation
  a.u = 3 + (if time < 0.5 then 0 else 1);
  b.u = a.x;
  c.u = b.x;
end PT1Chain;
// expect a.x(0) = 3 ± 1e-9
// expect c.x(0) = 3 ± 1e-9
// expect der(b.x)(0) = 0 ± 1e-9
// expect der(c.x)(0) = 0 ± 1e-9
// expect c.x(0.49) = 3 ± 1e-9
// expect a.x(1) = 4-exp(-0.5) ± 1e-5
