#!/usr/bin/env python3
"""inline.py KAIROS [test_NAME]...

"Inline integration: simulation of variable-structure systems", with other numbers: figures 1 and 3
by modes and by every inline method, and the leaking diode.
"""
import math, sys

sys.dont_write_bytecode = True
from client import near, page, simulate, solve

DIODE = """model M
  parameter Real leak = 0;
  Real u0 = %r*sin(%r*time), uC(start = 0, fixed = true), iD%s, uD, s;
  Boolean off = s < 0;
equation
  uD = if off then s else leak*s;
  iD = if off then leak*s else s;
  %s
  %r*der(uC) = iD - uC/%r;
end M;
"""


def numbers(r):
    w = r.uniform(50, 500)
    return r.uniform(1, 20), w, r.uniform(0.3, 1.5) / w, r.uniform(10, 100), r.uniform(0.2, 3)


def coil(kairos, r, count):
    for _ in range(count):
        amplitude, w, C, R, ratio = numbers(r)
        L = ratio / (w * w * C)
        source = lambda t: amplitude * math.sin(w * t)
        on = (
            lambda t, x: [(source(t) - x[1]) / L, (x[0] - x[1] / R) / C],
            [(lambda t, x: -x[0], "off", lambda t, x: [0.0, x[1]])],
        )
        off = (
            lambda t, x: [0.0, -x[1] / R / C],
            [(lambda t, x: source(t) - x[1], "on", None)],
        )
        stop = 4.3 * 2 * math.pi / w
        right, _, _ = solve({"on": on, "off": off}, "on", [0.0, 0.0], stop, 2e-3 / w)
        equation = "%r*der(iD) = u0 - uD - uC;" % L
        text = DIODE % (amplitude, w, "(start = 0, fixed = true)", equation, C, R)
        yield text, stop, right, amplitude


def test_1_source_resistance(kairos, r):
    """Figures 1 and 4: the switch lies in a loop, and every method simulates it."""
    for _ in range(2):
        amplitude, w, C, R, ratio = numbers(r)
        Ri = ratio / (w * C)
        source = lambda t: amplitude * math.sin(w * t)
        modes = {
            "off": (lambda t, x: [-x[0] / R / C], [(lambda t, x: source(t) - x[0], "on", None)]),
            "on": (
                lambda t, x: [((source(t) - x[0]) / Ri - x[0] / R) / C],
                [(lambda t, x: x[0] - source(t), "off", None)],
            ),
        }
        stop = 3.4 * 2 * math.pi / w
        right, _, _ = solve(modes, "on", [0.0], stop, 2e-3 / w)
        text = DIODE % (amplitude, w, "", "%r*iD = u0 - uD - uC;" % Ri, C, R)
        for solver, tolerance in ("auto", 1e-6), ("dopri5", 1e-6), ("inline-radau", 1e-5):
            options = "--stop-time", repr(stop), "--tolerance", "1e-8", "--solver", solver
            got = simulate(kairos, text, *options)
            near(got.end("uC"), right[0], tolerance * amplitude, solver + text)


def test_2_to_4_inductor(kairos, r):
    """Figures 3 and 5 to 7: the inductor fixes the causality of the diode."""
    for text, stop, right, size in coil(kairos, r, 3):
        for solver, allowed in (
            ("auto", 1e-6),
            ("dopri5", 1e-6),
            ("radau", 1e-6),
            ("inline-radau", 2e-5),
            ("inline-bdf2", 2e-4),
        ):
            options = "--stop-time", repr(stop), "--tolerance", "1e-8", "--solver", solver
            got = simulate(kairos, text, *options)
            near(got.end("uC"), right[1], allowed * size, solver + "\n" + text)
            near(got.end("iD"), right[0], 30 * allowed * size, solver + "\n" + text)


def test_5_leaking_diode(kairos, r):
    """Figures 8 and 9: with smaller leaks the result tends to that of the ideal diode."""
    for text, stop, right, size in coil(kairos, r, 1):
        for leak in 1e-4, 1e-6, 1e-8:
            options = "--stop-time", repr(stop), "--tolerance", "1e-8", "--set", "leak=%g" % leak
            got = simulate(kairos, text, *options)
            near(got.end("uC"), right[1], (300 * leak + 1e-5) * size, "leak %g\n%s" % (leak, text))


if __name__ == "__main__":
    sys.exit(page(globals()))
