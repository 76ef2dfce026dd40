// The attitude of a body as a quaternion: of four candidates, three are states. It turns about a
// fixed axis and tumbles through
// every choice.
// expect max norm_error <= 1e-8
// expect q[1](2.0) = cos(3.0) ± 1e-6
// expect q[2](2.0) = sin(3.0)*2/3 ± 1e-6
// expect q[3](2.0) = sin(3.0)*2/3 ± 1e-6
// expect q[4](2.0) = sin(3.0)/3 ± 1e-6
// expect equations 3 of q[1], q[2], q[3], q[4]
model quaternion
  parameter Real w[3] = {2, 2, 1};
  Real q[4](start = {1, 0, 0, 0});
  Real norm_error = abs(q*q - 1);
equation
  q*q = 1;
  w[1] = 2*(q[1]*der(q[2]) - q[2]*der(q[1]) + q[4]*der(q[3]) - q[3]*der(q[4]));
  w[2] = 2*(q[1]*der(q[3]) - q[3]*der(q[1]) + q[2]*der(q[4]) - q[4]*der(q[2]));
  w[3] = 2*(q[1]*der(q[4]) - q[4]*der(q[1]) + q[3]*der(q[2]) - q[2]*der(q[3]));
  annotation(experiment(StopTime = 10, Tolerance = 1e-9));
end quaternion;
