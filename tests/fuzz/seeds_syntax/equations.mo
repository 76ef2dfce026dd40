model M
  Real x, y;
initial equation
  x = 0 "start";
equation
  der(x) = -x^2 + 3*(y .^ 2) - .a.b[1:2:end, :].c annotation(n);
  (x, , y) = f(1, a=2, g=function h(z=1, w=function v()));
  if x > 1 and not y <= 2 or b then x = 1; elseif c <> d then y = 2; else end if "k";
  for i in 1:3, j loop x[i] = sum(k*k for k in 1:i); end for;
  when {initial(), sample(0, 1)} then reinit(x, -pre(x)); elsewhen e == f then terminate("t");
    end when;
  connect(a.p[1], .b.n);
  assert(x > 0, "m" + String(x));
initial algorithm
  x := if a then b elseif c then d else e;
algorithm
  (a, b[2]) := f(x);
  while true loop break; end while;
  for i loop x := [1, 2; 3, 4]; return; end for;
  when x then f(); elsewhen y then x := {i for i in 1:3, j in {1}}; end when;
  if pure(f(x)) then x.y[1].z := 1; end if;
end M;
