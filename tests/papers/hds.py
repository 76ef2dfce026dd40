#!/usr/bin/env python3
"""hds.py KAIROS [test_NAME]...

"Simulation of hybrid systems" (Omola), section by section, with other numbers. The classes are
those of examples/omola.
"""
import math, os, sys

sys.dont_write_bytecode = True
from client import all_near, near, page, simulate, solve

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def example(file):
    with open(os.path.join(TOP, "examples/omola", file)) as f:
        return f.read().split("% options")[0]


def run(kairos, text, stop, *options):
    words = "--stop-time", repr(stop), "--tolerance", "1e-9", *options
    return simulate(kairos, text, *words, kind="om")


def test_2_hysteresis(kairos, r):
    """Omola 3 to 9: distributed and global state, other widths and slopes."""
    for _ in range(2):
        delta, slope = r.uniform(0.05, 0.3), r.uniform(0.5, 3)
        first, gap = delta / slope, 2 * delta / slope
        stop = first + 3.5 * gap
        right = [first + k * gap for k in range(4)]
        text = example("Hysteresis.om").replace("default := 0.1", "default := %r" % delta)
        text = text.replace("f[1,1] = 1;", "f[1,1] = %r;" % slope)
        text = text.replace("f[1,2] = -1;", "f[1,2] = -%r;" % slope)
        got = run(kairos, text, stop)
        all_near(got.changes("q"), right, 1e-8, text)
        near(got.end("x[1]"), 0, 1e-7, text)
        text = example("Distributed.om").replace("default := 0.1", "default := %r" % delta)
        text = text.replace("f = 1;", "f = %r;" % slope).replace("f = -1;", "f = -%r;" % slope)
        got = run(kairos, text, stop)
        all_near(got.changes("Q"), right, 1e-8, text)


def test_3_automaton(kairos, r):
    """Omola 2: events that schedule others, and the time that they take."""
    arrive, serve = r.uniform(0.3, 0.5), r.uniform(0.1, 0.25)
    text = """
Server ISA Model WITH
  n, done TYPE DISCRETE Integer := 0;
  busy TYPE DISCRETE Integer := 0;
  Init, Arrive, Leave ISAN Event;
  WHEN Init DO
    schedule(Arrive, %r);
  END;
  WHEN Arrive DO
    new(n) := n + 1;
    schedule(Arrive, %r);
    schedule(Leave, %r);
  END;
  WHEN Leave DO
    new(done) := done + 1;
  END;
END;
""" % (
        arrive,
        arrive,
        serve,
    )
    got = run(kairos, text, 5.0)
    near(got.end("n"), math.floor(5 / arrive), 0, text)
    near(got.end("done"), math.floor((5 - serve) / arrive), 0, text)


def spirals(A, B, lines, x, stop):
    """Changes of mode and the state at the end; lines[q](x) is true when mode q is left."""
    t, q, times, h = 0.0, 0, [], 1e-4
    fields = [
        lambda t, x, M=M: [M[0] * x[0] + M[1] * x[1], M[2] * x[0] + M[3] * x[1]] for M in (A, B)
    ]
    from client import rk4

    while t < stop - 1e-13:
        step = min(h, stop - t)
        new = rk4(fields[q], t, x, step)
        if lines[q](new):
            low, high = 0.0, step
            while high - low > 1e-15:
                middle = (low + high) / 2
                if not low < middle < high:
                    break
                if lines[q](rk4(fields[q], t, x, middle)):
                    high = middle
                else:
                    low = middle
            x, t = rk4(fields[q], t, x, high), t + high
            q = 1 - q
            times.append(t)
        else:
            x, t = new, t + step
    return x, times


def test_3_2_conditions(kairos, r):
    """Conditions of two relations (example 7), and conditions that act when they become true."""
    w, a, b = r.uniform(4, 9), r.uniform(0.2, 0.6), r.uniform(0.1, 0.5)
    text = """
Edges ISA Model WITH
  y TYPE Real := 0;
  z TYPE Real := 1;
  up, both, either, neither TYPE DISCRETE Integer := 0;
  y' = z*%r;
  z' = -y*%r;
  Up ISAN Event WITH CONDITION := ^(y > %r); NEW(up) := up + 1; END;
  Both ISAN Event WITH CONDITION := (y > %r) AND (z > %r); NEW(both) := both + 1; END;
  WHEN y > %r OR z < -%r DO NEW(either) := either + 1; END;
  WHEN NOT (y > -%r) AND NOT (z > -%r) DO NEW(neither) := neither + 1; END;
END;
""" % (
        w,
        w,
        a,
        a,
        b,
        a,
        b,
        a,
        b,
    )
    result = simulate(kairos, text, "--stop-time", "3", "--tolerance", "1e-8", kind="om")
    conditions = {
        "up": lambda y, z: y > a,
        "both": lambda y, z: y > a and z > b,
        "either": lambda y, z: y > a or z < -b,
        "neither": lambda y, z: not y > -a and not z > -b,
    }
    n = 300000
    for name, holds in conditions.items():
        values = [holds(math.sin(w * 3 * k / n), math.cos(w * 3 * k / n)) for k in range(n + 1)]
        rises = values[0] + sum(q and not p for p, q in zip(values, values[1:]))
        near(result.end(name), rises, 0, name)


def test_4_4_subclasses(kairos, r):
    """Omola 11 and 12: Artstein's and Brockett's models with other times, rates and maps."""
    library = example("Hybrid.om")
    times = [r.uniform(0.2, 0.5) for _ in range(3)]
    text = """
Modules ISA Artstein WITH
  N = 3;
  dim = 1;
  T[1] = %r;
  T[2] = %r;
  T[3] = %r;
  f[1,1] = 1;
  f[1,2] = -2;
  f[1,3] = -x[1];
  Gq[1] = IF x[1] > 0.5 THEN 3 ELSE 2;
  Gq[2] = 1;
  Gq[3] = 1;
  x := [0.4; 0];
  q := 1;
END;
""" % tuple(
        times
    )
    x, q, t = 0.4, 1, 0.0
    while True:
        h = min(times[q - 1], 3 - t)
        x, t = (x + h if q == 1 else x - 2 * h if q == 2 else x * math.exp(-h)), t + h
        if t >= 3 - 1e-12:
            break
        q = 1 if q != 1 else 3 if x > 0.5 else 2
    options = ("--stop-time", "3", "--tolerance", "1e-9")
    result = simulate(kairos, library + text, *options, "--model", "Modules", kind="om")
    near(result.end("x[1]"), x, 1e-6, "Artstein's model")
    near(result.end("q"), q, 0, "its module")
    rates = [r.uniform(1, 3) for _ in range(2)]
    text = """
Counter ISA Brockett WITH
  N = 2;
  dim = 1;
  r[1] = %r;
  r[2] = %r;
  f[1,1] = 1;
  f[1,2] = -0.7;
  Gq[1] = 2;
  Gq[2] = 1;
  x := [0; 0; 0];
  q := 1;
END;
""" % tuple(
        rates
    )
    x, q, t, p = 0.0, 1, 0.0, 0
    while True:
        h = min(1 / rates[q - 1], 3 - t)
        x, t = x + h * (1, -0.7)[q - 1], t + h
        if t >= 3 - 1e-12:
            break
        q, p = 3 - q, p + 1
    result = simulate(kairos, library + text, *options, "--model", "Counter", kind="om")
    near(result.end("x[1]"), x, 1e-6, "Brockett's model")
    near(result.end("p"), p, 1e-9, "its counter")
    near(result.end("pfrac"), h * rates[q - 1], 1e-6, "the fraction of it")


def test_4_4_switched_planar(kairos, r):
    """Omola 10, 13 and 14: two spirals with other matrices and switching lines."""
    for _ in range(2):
        A = [1, -r.uniform(60, 120), r.uniform(5, 15), 1]
        B = [1, r.uniform(5, 15), -r.uniform(60, 120), 1]
        k, x = r.uniform(0.5, 1.0), [r.uniform(0.2, 0.5), r.uniform(0.5, 1)]
        lines = [
            lambda x: x[0] >= -k * x[1] and x[1] <= 0,
            lambda x: x[0] <= 0 and x[1] >= -k * x[0],
        ]
        right, times = spirals(A, B, lines, x, 0.6)
        text = example("SwitchStretch.om").replace("0.75", repr(k))
        text = text.replace("[1, -100; 10, 1]", "[%r, %r; %r, %r]" % tuple(A))
        text = text.replace("[1, 10; -100, 1]", "[%r, %r; %r, %r]" % tuple(B))
        sets = ["--set", "x[1].start=%r" % x[0], "--set", "x[2].start=%r" % x[1]]
        got = run(kairos, text, 0.6, *sets)
        all_near(got.changes("q"), times, 1e-6, text)
        for i in range(2):
            near(got.end("x[%d]" % (i + 1)), right[i], 1e-5 * (1 + abs(right[i])), text)


def test_impulses(kairos, r):
    """Autonomous impulses: NEW(x) solved from an equation."""
    e, h = r.uniform(0.4, 0.9), r.uniform(0.5, 2)
    text = (
        """
Ball ISA Model WITH
  y, v TYPE Real;
  Hit ISAN Event;
  y' = v;
  v' = -9.81;
  WHEN y <= 0 CAUSE Hit DO
    NEW(v) + %r*v = 0;
  END;
END;
"""
        % e
    )
    fall = math.sqrt(2 * h / 9.81)
    got = run(kairos, text, fall * (1 + 2 * e + e * e), "--set", "y.start=%r" % h)
    near(got.end("y"), h * e**4, 1e-6, text)


def pait(delta, T2, x, stop):
    """State at the end, and how often the timer ran out: pieces of rotations."""
    t, q, n = 0.0, 1, 0
    while True:
        w, length = (1.0, delta) if q == 1 else (2.0, T2)
        a = w * min(length, stop - t)
        x = (
            x[0] * math.cos(a) + x[1] / w * math.sin(a),
            x[1] * math.cos(a) - w * x[0] * math.sin(a),
        )
        t += length
        if t > stop:
            return x, n
        n, q = n + 1, 2 if q == 1 and x[0] >= 0 else 1


def test_4_5_pait(kairos, r):
    """Omola 16 to 18: other time-outs and starts."""
    for solver in "auto", "cvode", "radau":
        delta, T2, stop = r.uniform(0.07, 0.2), r.uniform(2, 2.6), r.uniform(8, 14)
        x0 = r.uniform(0.5, 1.5), r.uniform(-1, 1)
        text = example("Pait.om").replace("default := 0.1", "default := %r" % delta)
        text = text.replace("T[2] = 2.3562", "T[2] = %r" % T2)
        options = ["--solver", solver]
        for i in 0, 1:
            options += ["--set", "Plant.x[%d].start=%r" % (i + 1, x0[i])]
        right, n = pait(delta, T2, x0, stop)
        got = run(kairos, text, stop, *options)
        near(got.end("Controller.ModeChange"), n, 0, text)
        for i in 0, 1:
            near(got.end("Plant.x[%d]" % (i + 1)), right[i], 2e-6, "%s, %s" % (solver, text))


if __name__ == "__main__":
    sys.exit(page(globals()))
