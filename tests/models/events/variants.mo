// Section A of the cases with other parameters: in components, in arrays, nested, through
// connectors. Instants are analytical.
// expect a[1].y(2) = 1.5 ± 1e-9
// expect event asin(1.5/2.5)
// expect event pi-asin(1.5/2.5)
// expect event asin(0.5/2.5)
// expect a[2].y(1) = 0.5 ± 1e-9
// expect outer_.inner_.h.y(2.0) = 1
// expect outer_.inner_.h.y(5.0) = -1
// expect event pi+asin(1.25/2.5)
// expect ball[1].n(3) = 4
// expect ball[2].n(3) = 2
// expect event sqrt(2*1.0/9.81)
// expect event sqrt(2*2.0/9.81)
// expect event sqrt(2*2.0/9.81)*(1+2*0.3)
// expect plant.x(2) = 1 - 0.5^4 ± 1e-9
// options --tolerance 1e-9 --stop-time 6
// solvers high rk4
model Variants
  connector Signal = Real;
  connector In = input Real;
  connector Out = output Real;
  block Limiter
    parameter Real limit = 1;
    In u;
    Out y;
  equation
    y = if u > limit then limit elseif u < -limit then -limit else u;
  end Limiter;
  block Hysteresis
    parameter Real H = 1;
    In u;
    Integer y(start = -1, fixed = true);
  equation
    when {u > H, u < -H} then
      y = if u > H then 1 else -1;
    end when;
  end Hysteresis;
  block Source
    parameter Real amplitude = 2.5;
    Out y = amplitude*sin(time);
  end Source;
  model Inner
    Hysteresis h(H = 1.25);
    In u;
  equation
    connect(u, h.u);
  end Inner;
  model Outer
    Inner inner_;
    Source source;
  equation
    connect(source.y, inner_.u);
  end Outer;
  model Ball
    parameter Real h0 = 1, e = 0.5;
    Real h(start = h0, fixed = true), v(start = 0, fixed = true);
    Integer n(start = 0, fixed = true);
  equation
    der(h) = v;
    der(v) = if n < (if e > 0.4 then 4 else 2) then -9.81 else 0;
    when h <= 0 then
      n = pre(n) + 1;
      reinit(v, if n < (if e > 0.4 then 4 else 2) then -e*pre(v) else 0);
      reinit(h, 0);
    end when;
  end Ball;
  model Sampled "x gains half of what is missing at each tick of half a second, from 0 on"
    discrete Real x(start = 0, fixed = true);
  equation
    when sample(0.5, 0.5) then
      x = pre(x) + 0.5*(1 - pre(x));
    end when;
  end Sampled;
  Source source;
  Limiter a[2](limit = {1.5, 0.5});
  Outer outer_;
  Ball ball[2](h0 = {1, 2}, e = {0.5, 0.3});
  Sampled plant;
equation
  for i in 1:2 loop
    connect(source.y, a[i].u);
  end for;
end Variants;
