package Medium "Volumes in a line, whose temperature a function finds by iteration"
  function enthalpy "A heat capacity that rises with temperature"
    input Real T;
    output Real h;
  algorithm
    h := 1000*(T - 273.15) + 0.8*(T - 273.15)^2 + 5e4/(1 + exp(-(T - 340)/4));
    annotation(smoothOrder = 10);
  end enthalpy;

  function capacity
    input Real T;
    output Real c;
  protected
    Real e;
  algorithm
    e := exp(-(T - 340)/4);
    c := 1000 + 1.6*(T - 273.15) + 1.25e4*e/(1 + e)^2;
  end capacity;

  function temperature "Solves enthalpy(T) = h by Newton's method between bounds"
    input Real h;
    output Real T;
  protected
    Real low, high, change;
    Integer n;
  algorithm
    low := 200;
    high := 600;
    T := 330;
    n := 0;
    change := 1;
    while abs(change) > 1e-10*T and n < 60 loop
      if enthalpy(T) > h then
        high := T;
      else
        low := T;
      end if;
      change := (h - enthalpy(T))/capacity(T);
      if T + change <= low or T + change >= high then
        change := 0.5*(low + high) - T;
      end if;
      T := T + change;
      n := n + 1;
    end while;
    annotation(derivative = temperatureRate, inverse(h = enthalpy(T)));
  end temperature;

  function temperatureRate
    input Real h;
    input Real rate;
    output Real dT;
  algorithm
    dT := rate/capacity(temperature(h));
  end temperatureRate;

  model Line
    parameter Integer N = 40;
    Real h[N](each start = 2e4, each fixed = true), T[N];
    Real rate = 0.2 + 0.1*sin(time);
  equation
    for i in 1:N loop
      T[i] = temperature(h[i]);
      der(h[i]) = rate*((if i == 1 then enthalpy(370) else h[max(i - 1, 1)]) - h[i])
        - 20*(T[i] - 300);
    end for;
    annotation(experiment(StopTime = 200));
  end Line;
end Medium;
