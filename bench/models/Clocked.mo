model Clocked "n sampled blocks with one clock"
  parameter Integer n = 10000;
  block Filter
    input Real u;
    discrete Real y(start = 0, fixed = true);
  equation
    when sample(0, 0.01) then
      y = 0.9*pre(y) + 0.1*u;
    end when;
  end Filter;
  Filter f[n](u = {sin(i)*time for i in 1:n});
  annotation(experiment(StopTime = 1));
end Clocked;
