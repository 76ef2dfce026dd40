// delay() of a variable that an algorithm section assigns, in branches, in a when, in loops of
// known length: the value at its place. If its branch is not taken, it is that of the argument
// before the outermost statement.
// expect y(0.3) = 0.2 ± 1e-6
// expect y(1.0) = 0 ± 1e-9
// expect y(2.0) = 2*1.9 ± 1e-6
// expect y(2.55) = 2*2.45 ± 1e-6
// expect z[1](1) = 0.9 ± 1e-6
// expect z[2](1) = 2*0.8 ± 1e-6
// expect z[3](1) = 3*0.7 ± 1e-6
// expect s(1) = 0.9 + 2*0.8 + 3*0.7 ± 1e-6
// expect w[1](1) = sin(0.8) ± 1e-6
// expect w[2](1) = cos(0.8) ± 1e-6
// expect m(1.75) = 0
// expect m(2.25) = 1
// expect m(2.75) = 2
// expect k(2.6) = 2.3 ± 1e-6
// expect e(2.0) = 1.8 ± 1e-6
// expect q(1.2) = 1.2 ± 1e-6
// expect q(2.0) = 1.75 ± 1e-6
// options --stop-time 3 --tolerance 1e-8
model Paths
  Real x, y, z[3], s, v[2], w[2], e, q, r;
  discrete Real m(start = 0, fixed = true), k(start = 0, fixed = true), n(start = 0, fixed = true);
algorithm
  x := time;
  if time > 0.5 and time < 1.5 then
    y := 0;
  elseif time >= 1.5 then
    x := 2*x;
    y := delay(x, 0.1);
  else
    y := delay(x, 0.1);
  end if;
algorithm
  s := 0;
  for i in 1:3 loop
    z[i] := i*time;
    z[i] := delay(z[i], i/10);
    s := s + z[i];
  end for;
algorithm
  v := {sin(time), cos(time)};
  w := {delay(v[1], 0.2), delay(v[2], 0.2)};
algorithm
  when sample(0.5, 0.5) then
    n := pre(n) + 1;
    m := delay(n, 1.25);
  end when;
algorithm
  e := time;
  when time > 2.5 then
    k := delay(e, 0.2);
  end when;
  e := delay(e, 0.2);
algorithm
  q := time;
  r := if time > 1.5 then delay(q, 0.25) else q;
  q := r;
end Paths;
