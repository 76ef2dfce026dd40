// expect error R007 with positive needs a positive argument, not -
model asserted
  function positive
    input Real u;
    output Real v;
  algorithm
    assert(u > 0, "positive needs a positive argument, not " + String(u));
    v := u;
    for i in 1:2 loop
      v := v*u;
    end for;
  end positive;
  Real x(start = 1, fixed = true);
  Real y = positive(x);
equation
  der(x) = -1;
annotation(experiment(StopTime = 2));
end asserted;
