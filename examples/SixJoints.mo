model SixJoints "A chain of six joints with inertia, gravity and dry friction in each, by its "
  + "characteristic alone: 729 structures"
  parameter Real J=1, f0=0.5, f1=0.1, G=0.2;
  Real q1(start=0.3, fixed=true), w1(start=-1.5, fixed=true), t1, s1, r1;
  Real q2(start=0.6, fixed=true), w2(start=0.75, fixed=true), t2, s2, r2;
  Real q3(start=0.8999999999999999, fixed=true), w3(start=-0.5, fixed=true), t3, s3, r3;
  Real q4(start=1.2, fixed=true), w4(start=0.375, fixed=true), t4, s4, r4;
  Real q5(start=1.5, fixed=true), w5(start=-0.3, fixed=true), t5, s5, r5;
  Real q6(start=1.7999999999999998, fixed=true), w6(start=0.25, fixed=true), t6, s6, r6;
  Real energy;
equation
  der(q1) = w1;
  J*der(w1) = -t1 + t2 - G*sin(q1);
  r1 = w1;
  if s1 > 1 then r1 = s1 - 1; t1 = f0 + f1*r1; elseif s1 < -1 then r1 = s1 + 1; t1 = -f0 + f1*r1;
    else r1 = 0; t1 = f0*s1; end if;
  der(q2) = w2;
  J*der(w2) = -t2 + t3 - G*sin(q2);
  r2 = w2 - w1;
  if s2 > 1 then r2 = s2 - 1; t2 = f0 + f1*r2; elseif s2 < -1 then r2 = s2 + 1; t2 = -f0 + f1*r2;
    else r2 = 0; t2 = f0*s2; end if;
  der(q3) = w3;
  J*der(w3) = -t3 + t4 - G*sin(q3);
  r3 = w3 - w2;
  if s3 > 1 then r3 = s3 - 1; t3 = f0 + f1*r3; elseif s3 < -1 then r3 = s3 + 1; t3 = -f0 + f1*r3;
    else r3 = 0; t3 = f0*s3; end if;
  der(q4) = w4;
  J*der(w4) = -t4 + t5 - G*sin(q4);
  r4 = w4 - w3;
  if s4 > 1 then r4 = s4 - 1; t4 = f0 + f1*r4; elseif s4 < -1 then r4 = s4 + 1; t4 = -f0 + f1*r4;
    else r4 = 0; t4 = f0*s4; end if;
  der(q5) = w5;
  J*der(w5) = -t5 + t6 - G*sin(q5);
  r5 = w5 - w4;
  if s5 > 1 then r5 = s5 - 1; t5 = f0 + f1*r5; elseif s5 < -1 then r5 = s5 + 1; t5 = -f0 + f1*r5;
    else r5 = 0; t5 = f0*s5; end if;
  der(q6) = w6;
  J*der(w6) = -t6 + 0 - G*sin(q6);
  r6 = w6 - w5;
  if s6 > 1 then r6 = s6 - 1; t6 = f0 + f1*r6; elseif s6 < -1 then r6 = s6 + 1; t6 = -f0 + f1*r6;
    else r6 = 0; t6 = f0*s6; end if;
  energy = J*w1^2/2 + G*(1-cos(q1)) + J*w2^2/2 + G*(1-cos(q2)) + J*w3^2/2 + G*(1-cos(q3)) + J*w4^2/2
    + G*(1-cos(q4)) + J*w5^2/2 + G*(1-cos(q5)) + J*w6^2/2 + G*(1-cos(q6));
  annotation(experiment(StopTime=20, Tolerance=1e-7));
end SixJoints;

// solvers cvode dopri5 inline-radau
// expect max energy <= 2.3562
// expect energy(20) = 0.131944 ± 1e-5
// expect w1(20) = 0 ± 1e-9
// expect w2(20) = 0 ± 1e-9
// expect w3(20) = 0 ± 1e-9
// expect w4(20) = 0 ± 1e-9
// expect w5(20) = 0 ± 1e-9
// expect w6(20) = 0 ± 1e-9
