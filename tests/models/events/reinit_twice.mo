// A branch of a when-clause gives a state one new value.
model ReinitTwice
  parameter Integer n = 2;
  Real x[3](each start = 1, each fixed = true);
equation
  der(x) = ones(3);
  when time > 0.5 then
    reinit(x[2], 0);
    for i in 1:n loop
      reinit(x[i], 7);
    end for;
  end when;
end ReinitTwice;

// expect error D009 line 10
