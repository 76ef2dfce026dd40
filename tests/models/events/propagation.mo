model Propagation "Across components, at one instant"
  model Gate
    input Boolean b, c, d;
    Boolean a;
  equation
    a = b and c or d;
  end Gate;
  Gate g1, g2, g3;
  Integer count(start = 0, fixed = true);
equation
  g1.b = time >= 0.5;
  g1.c = true;
  g1.d = false;
  g2.b = g1.a;
  g2.c = g1.b;
  g2.d = false;
  g3.b = false;
  g3.c = g1.a;
  g3.d = g2.a;
  when g3.a then
    count = pre(count) + 1;
  end when;
end Propagation;
// solvers cvode rk4
// expect events = 1
// expect event 0.5
// expect g3.a(0.5) = 1 ± 0
// expect g3.a(0.5-) = 0 ± 0
// expect count(1) = 1 ± 0
