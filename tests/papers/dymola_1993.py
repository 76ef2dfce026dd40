#!/usr/bin/env python3
"""dymola_1993.py KAIROS [test_NAME]...

"Object-oriented modeling of hybrid systems" (1993), section by section, with other numbers, in the
notation of the paper. Dry friction is in friction.py and formulations.py.
"""
import itertools, math, os, sys

sys.dont_write_bytecode = True
from client import all_near, near, page, simulate, solve

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def classes(file, before):
    """The classes of an example that stand before this line."""
    with open(os.path.join(TOP, "examples/dymola", file)) as f:
        return f.read().split(before)[0]


def run(kairos, text, stop, *options):
    words = "--stop-time", repr(stop), "--tolerance", "1e-9", *options
    return simulate(kairos, text, *words, kind="dym")


INDUCTOR = """
model class (TwoPort) Inductor
  parameter L
  L*der(i) = u
end
"""


def test_object_oriented_modeling(kairos, r):
    """A resonant circuit of the paper's classes, its elements in any order along the path."""
    for order in itertools.permutations(("R", "L", "C")):
        R, L, C, u0 = r.uniform(0.2, 1), r.uniform(0.5, 2), r.uniform(0.2, 1), r.uniform(1, 5)
        text = (
            classes("Rectifier.dym", "model class (TwoPort) Switch")
            + INDUCTOR
            + """
model class Common
  main cut A (V / i)
  V = 0
end
model Circuit
  submodel (VSource) U0
  submodel (Resistor) R (R = %r)
  submodel (Inductor) L (L = %r)
  submodel (Capacitor) C (C = %r)
  submodel Common
  connect Common - (U0 - %s - %s - %s) - Common
  U0.u0 = %r
end
"""
            % (R, L, C, *order, u0)
        )
        a, w = R / (2 * L), math.sqrt(1 / (L * C) - (R / (2 * L)) ** 2)
        wave = math.exp(-2 * a) * (math.cos(2 * w) + a / w * math.sin(2 * w))
        near(abs(run(kairos, text, 2.0).end("C.u")), abs(u0 * (1 - wave)), 1e-6, text)


def test_discontinuous_equations(kairos, r):
    """The limiter: events when the sine meets its limits, and its integral."""
    for _ in range(3):
        a, w, low, high = (
            r.uniform(2, 5),
            r.uniform(0.5, 3),
            -r.uniform(0.3, 1.8),
            r.uniform(0.3, 1.8),
        )
        text = """
model class Limiter
  terminal x, y
  parameter LowLimit, HighLimit
  y = if x > HighLimit then HighLimit
      else if x < LowLimit then LowLimit
      else x
end
model Test
  submodel (Limiter) L (LowLimit = %r, HighLimit = %r)
  local s = 0
  L.x = %r*sin(%r*Time)
  der(s) = L.y
end
""" % (
            low,
            high,
            a,
            w,
        )
        up, down = math.asin(high / a), math.asin(-low / a)
        half = 2 * a * (1 - math.cos(up)) + high * (math.pi - 2 * up)
        other = 2 * a * (1 - math.cos(down)) - low * (math.pi - 2 * down)
        near(run(kairos, text, 2 * math.pi / w).end("s"), (half - other) / w, 1e-6, text)


def test_instantaneous_equations(kairos, r):
    """Hysteresis, difference equations in both forms, and a ball."""
    H = r.uniform(0.2, 0.9)
    text = """
model Hysteresis
  local u, y = 0
  u = sin(Time)
  when u > %r or u < -%r then
    y = if u > %r then 1 else -1
  endwhen
end
""" % (
        H,
        H,
        H,
    )
    got = run(kairos, text, 7.0)
    marks = [math.asin(H), math.pi + math.asin(H), 2 * math.pi + math.asin(H)]
    all_near(got.changes("y"), [t for t in marks if t < 7], 1e-8, text)
    a, b, rate = r.uniform(-0.9, 0.9), r.uniform(-2, 2), r.uniform(0.05, 0.2)
    text = """
model Difference
  local x = 1, NextTime = 0, y = 1, Next = 0
  when Time >= NextTime then
    new(NextTime) = NextTime + %r
    new(x) + (%r)*x = (%r)*cos(Time)
  endwhen
  when Time >= old(Next) then
    y + (%r)*old(y) = (%r)*cos(Time)
    Next = Time + %r
  end when
end
""" % (
        rate,
        a,
        b,
        a,
        b,
        rate,
    )
    x = 1.0
    for k in range(8):
        x = b * math.cos(k * rate) - a * x
    got = run(kairos, text, 7.5 * rate)
    near(got.end("x"), x, 1e-9, text)
    near(got.end("y"), x, 1e-9, text)
    c, g, h = r.uniform(0.4, 0.9), r.uniform(2, 15), r.uniform(0.5, 3)
    for action in "new(Velocity) = -%r*Velocity", "new(Velocity) + %r*Velocity = 0":
        text = """
model Ball
  local Height = %r, Velocity = 0
  der(Height) = Velocity
  der(Velocity) = -%r
  when Height <= 0.0 then
    %s
  endwhen
end
""" % (
            h,
            g,
            action % c,
        )
        fall = math.sqrt(2 * h / g)
        stop = fall * (1 + 2 * c + c * c)  # the top of the second flight
        got = run(kairos, text, stop)
        near(got.end("Height"), h * c**4, 1e-6, text)
        near(got.end("Velocity"), 0, 1e-6, text)


def test_event_propagation(kairos, r):
    """a = b and c or d through components, for each order of the three instants."""
    for times in itertools.permutations((0.2, 0.5, 0.8)):
        text = (
            """
model class Gate
  terminal b, c, d, a
  a = b and c or d
end
model Test
  submodel (Gate) g, h
  g.b = Time > %r
  g.c = Time > %r
  g.d = Time > %r
  h.b = g.a
  h.c = not g.d
  h.d = false
end
"""
            % times
        )
        got = run(kairos, text, 1.0)
        b, c, d = times
        all_near(got.changes("g.a"), [min(d, max(b, c))], 1e-9, text)
        first = max(b, c)
        all_near(got.changes("h.a"), [first, d] if first < d else [], 1e-9, text)


def test_switches(kairos, r):
    """Figure 3 with other numbers, and with ten switched loads in one circuit."""
    R1, R2, C, i = (
        r.uniform(50, 200),
        r.uniform(5, 50),
        10 ** r.uniform(-7, -5),
        r.uniform(0.01, 0.1),
    )
    tau = C * R1 * R2 / (R1 + R2)
    closed, opened = r.uniform(0.2, 1) * tau, r.uniform(1.5, 3) * tau
    text = (
        classes("SwitchCircuit.dym", "model Circuit")
        + """
model Circuit
  submodel (CSource) I0
  submodel (Resistor) R1 (R=%r), R2 (R=%r)
  submodel (Capacitor) C (C=%r)
  submodel (Switch) Sw
  submodel Common
  node n0, n1, n2
  connect I0 from n1 to n0, R1 from n1 to n0, Sw from n1 to n2,
          R2 from n2 to n0, C from n2 to n0, Common at n0
  Sw.OpenSw = if Time < %r then 1 else if Time < %r then 0 else 1
  I0.I0 = %r
end
"""
        % (R1, R2, C, closed, opened, i)
    )
    stop = opened + 0.7 * C * R2
    level = i * tau / C * (1 - math.exp(-(opened - closed) / tau)) * math.exp(-0.7)
    near(run(kairos, text, stop).end("C.u"), level, 1e-6 * i * R1, text)
    n, R = 10, [r.uniform(10, 100) for _ in range(10)]
    masks = r.sample(range(1 << n), 6)
    opens = [
        "if Time < 1 then %d else if Time < 2 then %d else if Time < 3 then %d else if Time < 4"
        " then %d else if Time < 5 then %d else %d" % tuple(m >> k & 1 for m in masks)
        for k in range(n)
    ]
    names = ["Sw%d" % k for k in range(n)]
    text = (
        classes("SwitchCircuit.dym", "model Circuit") + "model Circuit\n  submodel (CSource) I0\n"
    )
    text += "".join("  submodel (Resistor) R%d (R=%r)\n" % (k, R[k]) for k in range(n))
    text += "  submodel (Resistor) R (R=100)\n  submodel (Switch) %s\n" % ", ".join(names)
    text += "  submodel Common\n  node n0, n1, %s\n" % ", ".join("m%d" % k for k in range(n))
    text += "  connect I0 from n1 to n0, R from n1 to n0, Common at n0\n"
    for k in range(n):
        text += "  connect Sw%d from n1 to m%d, R%d from m%d to n0\n" % (k, k, k, k)
        text += "  Sw%d.OpenSw = %s\n" % (k, opens[k])
    text += "  I0.I0 = 1\nend\n"
    got = run(kairos, text, 6.0, "--intervals", "12")
    for step, mask in enumerate(masks):
        total = 0.01 + sum(1 / R[k] for k in range(n) if not mask >> k & 1)
        near(got.at("R.u", step + 0.5), 1 / total, 1e-8, text)


def test_ideal_diode(kairos, r):
    """Figure 5 with other numbers."""
    for _ in range(3):
        Ri, RL, C, f = (
            r.uniform(1, 20),
            r.uniform(20, 200),
            10 ** r.uniform(-4, -2.5),
            r.uniform(20, 100),
        )
        text = (
            classes("Rectifier.dym", "model Rectifier")
            + """
model Rectifier
  submodel (VSource) U0
  submodel (Resistor) Ri (R = %r), RL (R = %r)
  submodel (Capacitor) C (C = %r)
  submodel (Diode) Diode
  submodel Common
  connect Common - ((U0 - Ri - Diode) // C // RL)
  U0.u0 = sin(2*3.14159*%r*Time)
end
"""
            % (Ri, RL, C, f)
        )
        source = lambda t: math.sin(2 * 3.14159 * f * t)
        modes = {
            "off": (lambda t, x: [-x[0] / RL / C], [(lambda t, x: source(t) - x[0], "on", None)]),
            "on": (
                lambda t, x: [((source(t) - x[0]) / Ri - x[0] / RL) / C],
                [(lambda t, x: x[0] - source(t), "off", None)],
            ),
        }
        stop = 4.2 / f
        right, _, _ = solve(modes, "on", [0.0], stop, min(2e-3 / f, 0.02 * Ri * C))
        for solver in "auto", "dopri5", "radau":
            got = run(kairos, text, stop, "--solver", solver)
            near(got.end("C.u"), -right[0], 1e-6, text)


if __name__ == "__main__":
    sys.exit(page(globals()))
