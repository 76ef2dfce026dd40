// Andrews' squeezing mechanism: seven bodies in closed loops, six constraints, index 3.
// Reference values: Mazzia and Magherini, Test Set for Initial Value Problem Solvers.
// The errors allowed are 100 times the tolerance, relative to the largest value.
// expect q[1](0.03) = 0.1581077119629904e2 ± 0.00158
// expect q[2](0.03) = -0.1575637105984298e2 ± 0.00158
// expect q[3](0.03) = 0.4082224013073101e-1 ± 4.55e-05
// expect q[4](0.03) = -0.5347301163226948 ± 5.35e-05
// expect q[5](0.03) = 0.5244099658805304 ± 5.26e-05
// expect q[6](0.03) = 0.5347301163226948 ± 5.35e-05
// expect q[7](0.03) = 0.1048080741042263e1 ± 0.000123
// solvers auto
// options --stop-time 0.03 --tolerance 1e-6
model Squeezer
  constant Real m[7] = {0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498};
  constant Real J[7] = {2.194e-6, 4.41e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5};
  constant Real xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072;
  constant Real d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, f = 0.02, fa = 0.01421, r = 0.007;
  constant Real ra = 0.00092, s = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02;
  constant Real ta = 0.02308, tb = 0.00916, u = 0.04, ua = 0.01228, ub = 0.00449, t = 0.04;
  constant Real c0 = 4530, l0 = 0.07785, drive = 0.033;
  Real q[7](start = {-0.0617138900142764496, 0, 0.455279819163070380, 0.222668390165885885,
                     0.487364979543842550, -0.222668390165885885, 1.23054744454982119},
            fixed = {false, true, false, false, false, false, false});
  Real w[7](each start = 0, fixed = {true, false, false, false, false, false, false});
  Real l[6];
  Real xd = sd*cos(q[3]) + sc*sin(q[3]) + xb, yd = sd*sin(q[3]) - sc*cos(q[3]) + yb;
  Real length = sqrt((xd - xc)^2 + (yd - yc)^2), force = -c0*(length - l0)/length;
  Real sbt = sin(q[1] + q[2]), cbt = cos(q[1] + q[2]);
  Real spd = sin(q[4] + q[5]), cpd = cos(q[4] + q[5]);
  Real soe = sin(q[6] + q[7]), coe = cos(q[6] + q[7]);
  Real a[7] = der(w);
equation
  der(q) = w;
  (m[1]*ra^2 + m[2]*(r^2 - 2*da*r*cos(q[2]) + da^2) + J[1] + J[2])*a[1]
    + (m[2]*(da^2 - da*r*cos(q[2])) + J[2])*a[2]
    = drive - m[2]*da*r*w[2]*(w[2] + 2*w[1])*sin(q[2])
    - (-r*sin(q[1]) + d*sbt)*(l[1] + l[3] + l[5]) - (r*cos(q[1]) - d*cbt)*(l[2] + l[4] + l[6]);
  (m[2]*(da^2 - da*r*cos(q[2])) + J[2])*a[1] + (m[2]*da^2 + J[2])*a[2]
    = m[2]*da*r*w[1]^2*sin(q[2]) - d*sbt*(l[1] + l[3] + l[5]) + d*cbt*(l[2] + l[4] + l[6]);
  (m[3]*(sa^2 + sb^2) + J[3])*a[3]
    = force*((xd - xc)*(sc*cos(q[3]) - sd*sin(q[3])) + (yd - yc)*(sd*cos(q[3]) + sc*sin(q[3])))
    + s*cos(q[3])*l[1] + s*sin(q[3])*l[2];
  (m[4]*(e - ea)^2 + J[4])*a[4] + (m[4]*((e - ea)^2 + t*(e - ea)*sin(q[4])) + J[4])*a[5]
    = m[4]*t*(e - ea)*w[5]^2*cos(q[4]) + e*cpd*l[3] + e*spd*l[4];
  (m[4]*((e - ea)^2 + t*(e - ea)*sin(q[4])) + J[4])*a[4]
    + (m[4]*(t^2 + 2*t*(e - ea)*sin(q[4]) + (e - ea)^2) + m[5]*(ta^2 + tb^2) + J[4] + J[5])*a[5]
    = -m[4]*t*(e - ea)*w[4]*(w[4] + 2*w[5])*cos(q[4])
    - (-e*cpd + t*sin(q[5]))*l[3] - (-e*spd - t*cos(q[5]))*l[4];
  (m[6]*(f - fa)^2 + J[6])*a[6] + (m[6]*((f - fa)^2 - u*(f - fa)*sin(q[6])) + J[6])*a[7]
    = -m[6]*u*(f - fa)*w[7]^2*cos(q[6]) - f*soe*l[5] + f*coe*l[6];
  (m[6]*((f - fa)^2 - u*(f - fa)*sin(q[6])) + J[6])*a[6]
    + (m[6]*((f - fa)^2 - 2*u*(f - fa)*sin(q[6]) + u^2) + m[7]*(ua^2 + ub^2) + J[6] + J[7])*a[7]
    = m[6]*u*(f - fa)*w[6]*(w[6] + 2*w[7])*cos(q[6])
    - (f*soe - u*cos(q[7]))*l[5] - (-f*coe - u*sin(q[7]))*l[6];
  0 = r*cos(q[1]) - d*cbt - s*sin(q[3]) - xb;
  0 = r*sin(q[1]) - d*sbt + s*cos(q[3]) - yb;
  0 = r*cos(q[1]) - d*cbt - e*spd - t*cos(q[5]) - xa;
  0 = r*sin(q[1]) - d*sbt + e*cpd - t*sin(q[5]) - ya;
  0 = r*cos(q[1]) - d*cbt - f*coe - u*sin(q[7]) - xa;
  0 = r*sin(q[1]) - d*sbt - f*soe + u*cos(q[7]) - ya;
end Squeezer;
