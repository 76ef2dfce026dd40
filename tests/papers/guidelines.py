#!/usr/bin/env python3
"""guidelines.py KAIROS [test_NAME]...

"Guidelines for modeling and simulation of hybrid systems", section by section, with other numbers.
"""
import math, sys

sys.dont_write_bytecode = True
from client import near, page, simulate

SOLVERS = ["auto", "cvode", "dopri5", "radau", "esdirk", "rkf45"]


def test_step_size_control(kairos, r):
    """D-, DD- and DDD-functions: jumps of the value, of the slope and of the curvature do not
    spoil the accuracy of any solver."""
    kinds = {
        "if z > 0 then %r else -1": lambda k, t, s: -s + (k + 1) * max(0, t),
        "if z > 0 then %r*z else 0": lambda k, t, s: k * max(0, t) ** 2 / 2,
        "if z > 0 then %r*z^2 else 0": lambda k, t, s: k * max(0, t) ** 3 / 3,
    }
    for expression, integral in kinds.items():
        for solver in SOLVERS:
            k, at = r.uniform(1, 100), r.uniform(0.2, 0.8)
            text = """model M
  Real z = x - %r, y = %s, x(start = 0, fixed = true), s(start = 0, fixed = true);
equation
  der(x) = 1;
  der(s) = y;
end M;
""" % (
                at,
                expression % k,
            )
            got = simulate(kairos, text, "--solver", solver, "--tolerance", "1e-7")
            near(got.end("s"), integral(k, 1 - at, 1.0), 1e-5 * k, solver + "\n" + text)


def test_smoothing(kairos, r):
    """A steep smooth transition in place of a jump: every solver passes it."""
    for solver in SOLVERS:
        width, at = 10 ** r.uniform(-5, -3), r.uniform(0.2, 0.8)
        text = """model M
  Real x(start = 0, fixed = true);
equation
  der(x) = tanh((time - %r)/%r);
end M;
""" % (
            at,
            width,
        )
        got = simulate(kairos, text, "--solver", solver, "--tolerance", "1e-8")
        near(got.end("x"), 1 - 2 * at, 3e-4, solver + "\n" + text)


def test_limiter(kairos, r):
    """Figure 2: the limiter of a state, each domain extended beyond its ends."""
    for solver in SOLVERS:
        high, w = r.uniform(0.2, 0.9), r.uniform(2, 9)
        text = """model M
  Real x(start = 0, fixed = true), v(start = %r, fixed = true), s(start = 0, fixed = true);
  Real y = if x > %r then %r elseif x < -%r then -%r else x;
equation
  der(x) = v;
  der(v) = -%r*x;
  der(s) = y;
end M;
""" % (
            w,
            high,
            high,
            high,
            high,
            w * w,
        )
        a = math.asin(high)
        area = 2 * ((1 - math.cos(a)) + high * (math.pi / 2 - a)) / w
        options = "--solver", solver, "--tolerance", "1e-9", "--stop-time", repr(math.pi / w)
        near(simulate(kairos, text, *options).end("s"), area, 1e-6, solver + "\n" + text)


def test_valve(kairos, r):
    """Equation 3: an infinite slope at zero. The volume flows there and back."""
    for solver in SOLVERS:
        k, p = r.uniform(0.5, 5), r.uniform(0.5, 3)
        text = """model M
  Real dp = %r - time, V(start = 0, fixed = true);
equation
  der(V) = noEvent(%r*sign(dp)*sqrt(abs(dp)));
end M;
""" % (
            p,
            k,
        )
        stop = p + r.uniform(0.2, 1)
        right = k * 2 / 3 * (p**1.5 - (stop - p) ** 1.5)
        options = "--stop-time", repr(stop), "--solver", solver, "--tolerance", "1e-8"
        near(simulate(kairos, text, *options).end("V"), right, 1e-5 * k, solver + "\n" + text)


def test_bad_function(kairos, r):
    """Figure 4 and equation 4: a branch m*k*sign(x)*sqrt(|x|), whose mode m changes at zero."""
    for solver in SOLVERS:
        k, at = r.uniform(0.5, 5), r.uniform(0.3, 0.7)
        text = """model M
  Real x = time - %r, m = if x >= 0 then 1 else -1, s(start = 0, fixed = true);
equation
  der(s) = noEvent(m*%r*sign(x)*sqrt(abs(x)));
end M;
""" % (
            at,
            k,
        )
        right = k * 2 / 3 * (at**1.5 + (1 - at) ** 1.5)
        got = simulate(kairos, text, "--solver", solver, "--tolerance", "1e-8")
        near(got.end("s"), right, 1e-5 * k, solver + "\n" + text)


def test_time_advances(kairos, r):
    """A ball in if-then form is an equation, and the velocity changes once at each impact: the
    modeler may rely on advancing time, for any steps of the solver."""
    for solver in SOLVERS:
        c, h = r.uniform(0.4, 0.9), r.uniform(0.5, 2)
        text = """model Ball
  local Height = %r, Velocity = 0, n = 0
  der(Height) = Velocity
  der(Velocity) = -9.81
  when Height < 0.0 then
    new(Velocity) = -%r*Velocity
    new(n) = n + 1
  end when
end
""" % (
            h,
            c,
        )
        fall = math.sqrt(2 * h / 9.81)
        stop = fall * (1 + 2 * c + 2 * c * c + c**3)
        options = "--stop-time", repr(stop), "--solver", solver, "--tolerance", "1e-9"
        got = simulate(kairos, text, *options, kind="dym")
        near(got.end("n"), 3, 0, solver + "\n" + text)
        near(got.end("Height"), h * c**6, 1e-6, solver + "\n" + text)


def test_friction_of_the_drive(kairos, r):
    """Figure 6: a shaft with the friction of the drive, by the library's element."""
    J, c, d, tau = (
        r.uniform(0.02, 0.1),
        r.uniform(1e-3, 5e-3),
        r.uniform(0.01, 0.05),
        r.uniform(0.01, 0.05),
    )
    text = """model M
  Hybrid.Mechanics.Rotational.Fixed g;
  Hybrid.Mechanics.Rotational.StickSlip f(tauC = %r, tauMax = %r, d = %r);
  Hybrid.Mechanics.Rotational.Inertia m(J = %r, phi(fixed = true), w(fixed = true));
  Hybrid.Mechanics.Rotational.Torque t(u = if time < 1 then %r else 0);
equation
  connect(g.a, f.a);
  connect(f.b, m.a);
  connect(t.b, m.b);
end M;
""" % (
        c,
        1.5 * c,
        d,
        J,
        tau,
    )
    speed = (tau - c) / d * (1 - math.exp(-d / J))
    rest = J / d * math.log(1 + speed * d / c)
    options = "--stop-time", repr(1 + 0.5 * rest), "--tolerance", "1e-9"
    right = (speed + c / d) * math.exp(-0.5 * rest * d / J) - c / d
    near(simulate(kairos, text, *options).end("m.w"), right, 1e-6, text)
    got = simulate(kairos, text, "--stop-time", repr(1 + 2 * rest), "--tolerance", "1e-9")
    near(got.end("m.w"), 0, 1e-9, text)


if __name__ == "__main__":
    sys.exit(page(globals()))
