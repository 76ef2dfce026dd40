#!/usr/bin/env python3
"""The first step depends neither on the unit of time nor on the length of the run: models that
begin in motion, at rest, or on the slow solution of a stiff equation, in units of 1e-9 to 1e15
seconds and to eight stop times, with every error-controlled solver, against closed forms."""
import math, sys
from client import near, page, simulate

STOPS = [1, 1.7, 2, 3, 4, 6, 8.5, 10]
UNITS = [1e-9, 1, 1e6, 1e15]
EXPLICIT = ["dopri5", "rkf45"]
IMPLICIT = ["auto", "cvode", "ida", "esdirk", "radau", "inline-radau"]


def family(kairos, r, equations, right, solvers, worst=2e-4):
    """equations(w) with the rate w; stops are 10/w to 100/w."""
    for unit in UNITS:
        w = 10 / unit
        text = "model P\n  %s\nend P;\n" % equations(w)
        for solver in solvers:
            for stop in r.sample(STOPS, 3):
                stop *= unit
                result = simulate(
                    kairos, text, "--solver", solver, "--stop-time", repr(stop), "--intervals", "7"
                )
                k = result.names.index("x")
                for row in result.rows:
                    what = "%s, unit %g, stop %g, time %g" % (solver, unit, stop, row[0])
                    near(row[k], right(w * row[0]), worst, what)


def slow_solution(ratio):
    """x' = -ratio*w*(x - cos(wt)), x(0) = 1, at wt."""
    part = ratio * ratio / (1 + ratio * ratio)
    return lambda s: part * (math.cos(s) + math.sin(s) / ratio) + (1 - part) * math.exp(-ratio * s)


def test_motion(kairos, r):
    equations = "Real x(start = 0, fixed = true); equation der(x) = %r*cos(%r*time);"
    family(kairos, r, lambda w: equations % (w, w), math.sin, EXPLICIT + IMPLICIT)


def test_rest(kairos, r):
    equations = """Real x(start = 0, fixed = true), v(start = 0, fixed = true);
    equation der(x) = %r*v; der(v) = %r*(sin(%r*time) - x);"""
    right = lambda s: (3 * math.sin(s) - math.sin(3 * s)) / 8
    family(kairos, r, lambda w: equations % (w, w, 3 * w), right, EXPLICIT + IMPLICIT)


def test_short_motion_of_long_runs(kairos, r):
    """A model at rest is pushed once and rests again: z' = wx, x' = w(exp(-wt)*sin(3wt) - x), so
    that z ends at 0.3. No first step may pass over the push."""
    equations = """Real x(start = 0, fixed = true), z(start = 0, fixed = true);
    equation der(z) = %r*x; der(x) = %r*(exp(-%r*time)*sin(%r*time) - x);"""
    worst = {"inline-euler": 5e-3, "inline-bdf2": 5e-3}
    for solver in IMPLICIT + ["inline-euler", "inline-bdf2"]:
        for stop in [1e2, 1e4, 1e6, 1e8]:
            unit = r.choice(UNITS)
            w = 1 / unit
            result = simulate(
                kairos,
                "model P\n  %s\nend P;\n" % (equations % (w, w, w, 3 * w)),
                *("--solver", solver, "--stop-time", repr(stop * unit), "--intervals", "3")
            )
            z = result.rows[-1][result.names.index("z")]
            near(z, 0.3, worst.get(solver, 2e-4), "%s, unit %g, stop %g" % (solver, unit, stop))


def test_stiff(kairos, r):
    equations = "Real x(start = 1, fixed = true); equation der(x) = -%r*(x - cos(%r*time));"
    for ratio in (1e3, 1e6):
        family(kairos, r, lambda w: equations % (ratio * w, w), slow_solution(ratio), IMPLICIT)


def test_stiff_inside_steps(kairos, r):
    """Values between the ends of steps are as good as those at them."""
    equations = "Real x(start = 1, fixed = true); equation der(x) = -%r*(x - cos(time));"
    for ratio in (10, 1e3, 1e6):
        for tolerance in (1e-4, 1e-6, 1e-9):
            result = simulate(
                kairos,
                "model P\n  %s\nend P;\n" % (equations % ratio),
                *("--solver", "radau", "--tolerance", repr(tolerance)),
                *("--stop-time", "60", "--intervals", "3000")
            )
            for time, x in zip(result.times, [row[result.names.index("x")] for row in result.rows]):
                near(x, slow_solution(ratio)(time), 50 * tolerance, "ratio %g, %g" % (ratio, time))


def test_stiff_derivatives(kairos, r):
    """A small error of a stiff component is not a large one in its derivative, inside steps. The
    last step is cut at the end of the run; there x is as the method leaves it."""
    equations = "Real x(start = 1, fixed = true), f; equation f = %r*(cos(time) - x); der(x) = f;"
    for solver in ("auto", "cvode", "radau", "ida", "esdirk"):
        for k in (1e4, 1e7):
            for tolerance in (1e-4, 1e-6):
                result = simulate(
                    kairos,
                    "model P\n  %s\nend P;\n" % (equations % k),
                    *("--solver", solver, "--tolerance", repr(tolerance)),
                    *("--stop-time", repr(r.uniform(20, 60)), "--intervals", "1500")
                )
                f = result.names.index("f")
                for row in result.rows:
                    t, what = row[0], "%s, ratio %g, %g, time %g" % (solver, k, tolerance, row[0])
                    if 1 < t < result.times[-1] - 1:
                        right = (k * math.cos(t) - k * k * math.sin(t)) / (1 + k * k)
                        near(row[f], right, 3000 * tolerance, what)


if __name__ == "__main__":
    sys.exit(page(dict(globals())))
