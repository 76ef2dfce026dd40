package Many "n relations of which few change, and the same without them"
  partial model Plant
    parameter Integer n = 10000;
    Real x[n](each start = 0, each fixed = true), y(start = 1, fixed = true), v(start = 0,
      fixed = true);
  equation
    for i in 1:n loop
      der(x[i]) = y - x[i];
    end for;
    der(y) = v;
    der(v) = -y;
  end Plant;
  model Without
    extends Plant;
    annotation(experiment(StopTime = 100));
  end Without;
  model Watched
    extends Plant;
    Boolean high[n] = {x[i] > (if i <= 3 then 0.5 else 2) for i in 1:n};
    annotation(experiment(StopTime = 100));
  end Watched;
end Many;
