// A component gives a value to its input if nothing is connected to it, by cardinality.
// expect free.y(1) = 2 ± 1e-12
// expect driven.y(1) = 2*sin(1) ± 1e-6
model InputWithoutConnection
  connector Input = input Real;
  connector Output = output Real;
  block Source
    Output y;
  equation
    y = sin(time);
  end Source;
  model Gain
    Input u "1 if nothing is connected to it";
    Real y;
  equation
    if cardinality(u) == 0 then
      u = 1;
    end if;
    y = 2*u;
  end Gain;
  Gain free, driven;
  Source source;
equation
  connect(source.y, driven.u);
end InputWithoutConnection;
