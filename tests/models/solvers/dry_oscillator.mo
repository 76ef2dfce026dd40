model DryOscillator "Half waves around the two ends of the friction's zone"
  parameter Real d = 0.0125;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -4*x + (if v > 0 then -4*d else 4*d);
  annotation(experiment(StopTime = 17, Tolerance = 1e-9));
end DryOscillator;

// The tolerance of solvers is a tenth of the requested one, also if that is small. BDF's error is
// 30 to 100 times the tolerance here.
// solvers high
// options --output-points grid --stop-time 16.493361431346415
// ten half waves, each 2*d shorter, and a quarter of the next one
// expect x(16.493361431346415) = 0.0125 ± 2e-7
// expect v(16.493361431346415) = -1.475 ± 2e-7
