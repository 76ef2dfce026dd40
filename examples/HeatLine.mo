package HeatLine "A rod cut into cells: components in an array, connected by a loop"
  connector HeatPort
    Real T(unit = "K");
    flow Real Q(unit = "W");
  end HeatPort;

  model Cell "heat capacity in the middle, half a resistance to either side"
    parameter Real C(unit = "J/K") = 1;
    parameter Real R(unit = "K/W") = 1;
    Real T(unit = "K", start = 300, fixed = true);
    HeatPort a, b;
  equation
    C*der(T) = a.Q + b.Q;
    R/2*a.Q = a.T - T;
    R/2*b.Q = b.T - T;
  end Cell;

  model FixedTemperature
    parameter Real T0(unit = "K") = 300;
    HeatPort port;
  equation
    port.T = T0;
  end FixedTemperature;

  model Line
    parameter Integer n = 10 "number of cells";
    Cell cell[n](each C = 1/n, each R = 1/n);
    FixedTemperature hot(T0 = 400), cold(T0 = 300);
  equation
    connect(hot.port, cell[1].a);
    for i in 1:n - 1 loop
      connect(cell[i].b, cell[i + 1].a);
    end for;
    connect(cell[n].b, cold.port);
    annotation(experiment(StopTime = 2));
  end Line;
end HeatLine;

// With exp(-pi^2 t) gone, the profile is linear: T[i] = 400 - 100 (i - 1/2)/n.
// options --tolerance 1e-8
// solvers cvode dopri5
// expect cell[1].T(2) = 395 ± 1e-4
// expect cell[5].T(2) = 355 ± 1e-4
// expect cell[10].T(2) = 305 ± 1e-4
// expect hot.port.Q(2) = -100 ± 1e-3
