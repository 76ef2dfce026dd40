// A capacitance that vanishes since all its parts do: no state is left.
// expect v(1) = 0.5 ± 1e-9
model ZeroCapacitance
  parameter Real C0 = 0, tau = 0;
  Real v(start = 0), c;
equation
  c = smooth(1, if v > 0.3 then C0*exp(v) + tau*v else C0);
  c*der(v) = time - 2*v;
end ZeroCapacitance;
