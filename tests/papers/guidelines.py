#!/usr/bin/env python3
"""guidelines.py KAIROS [test_NAME]...

"Guidelines for modeling and simulation of hybrid systems", section by section, with other numbers.
"""
import math, os, sys

sys.dont_write_bytecode = True
from client import near, page, simulate, solve

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

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


def ward_leonard(n, stop):
    """Position of the load and speed of the first motor. The generator turns with that motor; the
    second motor sticks, or slides with the friction of figure 6. u: the controller's output."""
    J, Ra, psi = n["Jm"], n["Ra"], 0.5
    shaft, angle, load, mode, integral = 0.0, 0.0, 0.0, "stuck", 0.0

    def slopes(sign, u, J1, tau1):
        def torque(x):
            return -psi * (psi * x[1] + 0.02 * u * x[0]) / (2 * Ra) + tau1

        def f(t, x):
            w, w2, _ = x
            supplied = (psi * w2 + 0.02 * u * w) / (2 * Ra)
            friction = 2e-5 + 2e-4 * w
            dw = (psi * (25 - psi * w) / Ra - 0.02 * u * supplied - 2 * friction) / (2 * J)
            if sign == 0:
                return [dw, 0.0, 0.0]
            return [dw, (torque(x) - sign * 2e-5 - 2e-4 * w2) / (J + J1), -w2]

        return f, torque

    def modes(u, J1, tau1):
        still = lambda t, x: [x[0], 0.0, x[2]]
        found = {}
        for name, sign in (("stuck", 0), ("ahead", 1), ("back", -1)):
            f, torque = slopes(sign, u, J1, tau1)
            out = [(lambda t, x, s=sign: -s * x[1], "stuck", still)]
            if sign == 0:
                out = [
                    (lambda t, x, g=torque: g(x) - 5e-5, "ahead", None),
                    (lambda t, x, g=torque: -g(x) - 5e-5, "back", None),
                ]
            found[name] = f, out
        return found

    x, k = [0.0, 0.0, 0.0], 0
    while k * 0.1 < stop - 1e-9:
        late = k * 0.1 >= 4 - 1e-9
        error = (n["second"] if k * 0.1 >= 2 - 1e-9 else n["first"]) - x[2]
        wanted = integral + n["k"] * error
        u = max(-10.0, min(10.0, wanted))
        integral += 0.1 * (n["k"] * error / n["T"] + 0.01 * (u - wanted))
        rates = modes(u, n["J1"] if late else 0.0, n["tau1"] if late else 0.0)
        x, mode, _ = solve(rates, mode, x, 0.1, 1e-3)
        k += 1
    return x[2], x[0]


def test_ward_leonard(kairos, r):
    """Figures 5 and 7 with other numbers: set points at 0 and 2 s, another load from 4 s on."""
    n = {
        "Jm": r.uniform(0.03, 0.08),
        "Ra": r.uniform(4, 12),
        "k": r.uniform(0.5, 2),
        "T": r.uniform(2, 50),
        "first": r.uniform(2, 8),
        "second": r.uniform(-5, 1),
        "J1": r.uniform(0.02, 0.1),
        "tau1": r.uniform(-0.05, 0.05),
    }
    with open(os.path.join(TOP, "examples/dymola/WardLeonard.dym")) as f:
        text = f.read().split("! options")[0]
    for old, new in (
        ("Ra = 10.0", "Ra = %(Ra)r"),
        ("Jm = 0.05", "Jm = %(Jm)r"),
        ("k = 0.06, T = 500", "k = %(k)r, T = %(T)r"),
        ("Time < 50.0 then 10.0 else 5.0", "Time < 2.0 then %(first)r else %(second)r"),
        ("Time < 100.0 then 0.0 else 0.01", "Time < 4.0 then 0.0 else %(tau1)r"),
        ("Time < 100.0 then 0.0 else 0.05", "Time < 4.0 then 0.0 else %(J1)r"),
    ):
        assert old in text, old
        text = text.replace(old, new % n)
    right = ward_leonard(n, 6)
    for solver in "auto", "cvode":
        options = "--stop-time", "6", "--tolerance", "1e-8", "--solver", solver
        got = simulate(kairos, text, *options, kind="dym")
        near(got.end("theta"), right[0], 2e-5 * (1 + abs(right[0])), repr(n))
        near(got.end("WL.Mot1.omega"), right[1], 2e-5 * (1 + abs(right[1])), repr(n))


if __name__ == "__main__":
    sys.exit(page(globals()))
