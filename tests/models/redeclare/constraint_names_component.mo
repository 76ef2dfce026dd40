// expect a(0) = 8 ± 1e-12
// expect b(0) = 8 ± 1e-12
// expect c(0) = 8 ± 1e-12
// expect d(0) = 61 ± 1e-12
// What a replaceable class passes on to its replacement may name components beside it: those of the
// instance, not of the class.
record Par
  Real f = 50;
end Par;
model Base
  parameter Real a = 7;
  replaceable record Data = Par(f = a);
  parameter Data par;
end Base;
model Machine
  extends Base(redeclare record Data = Par);
end Machine;
model Unit
  replaceable model Engine = Base;
  Engine engine;
end Unit;
model World
  parameter Real f = 60;
end World;
partial model Placed
  outer World world;
end Placed;
model Anywhere
  extends Placed;
  replaceable record Data = Par(f = world.f);
  parameter Data par;
end Anywhere;
model M
  inner World world(f = 61);
  Machine m(a = 8);
  Unit u(redeclare model Engine = Base(redeclare record Data = Par, a = 8));
  Unit w(redeclare model Engine = Machine(a = 8));
  Anywhere n(redeclare record Data = Par);
  Real a = m.par.f;
  Real b = u.engine.par.f;
  Real c = w.engine.par.f;
  Real d = n.par.f;
end M;
