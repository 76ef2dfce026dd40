"""Every method has the order it claims.

The test is y' = -2 t y^2, y = 1/(1 + t^2), beside an oscillator. For methods with a fixed step it
uses the slope of the error over the step. The others choose their steps by the tolerance: it uses
the slope of the error over the number of steps."""
import csv, math, os, re, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import call, check, write

FIXED = {"euler": 1, "rk4": 4}
VARIABLE = {
    "inline-euler": 1,
    "inline-bdf2": 2,
    "inline-radau": 3,
    "esdirk": 4,
    "dopri5": 5,
    "rkf45": 5,
    "radau": 5,
}
CHANGES_ORDER = {"cvode", "ida"}
MODEL = """model Smooth
  Real y(start = 1, fixed = true), u(start = 1, fixed = true), w(start = 0, fixed = true);
  Real err = max(abs(y - 1/(1 + time^2)), max(abs(u - cos(time)), abs(w + sin(time))));
equation
  der(y) = -2*time*y^2;
  der(u) = w;
  der(w) = -u;
end Smooth;
"""


def run(solver, options):
    """Steps and error at the end."""
    rc, _, err = call(
        "simulate",
        "Smooth.mo",
        "--solver",
        solver,
        "--intervals",
        "1",
        "--output",
        "r.csv",
        "--log",
        "stats",
        *options
    )
    assert rc == 0, "%s: exit %d\n%s" % (solver, rc, err)
    with open("r.csv") as f:
        return int(re.search(r"(\d+) steps", err).group(1)), float(
            list(csv.DictReader(f))[-1]["err"]
        )


def order(solver, settings):
    (n0, e0), (n1, e1) = (run(solver, options) for options in settings)
    return math.log(e0 / e1) / math.log(n1 / n0)


def compare(solvers, settings):
    write("Smooth.mo", MODEL)
    for solver, claimed in solvers.items():
        found = order(solver, settings)
        check(
            solver,
            abs(found - claimed) <= 0.1 + 0.1 * claimed,
            "order %.2f, expected %d" % (found, claimed),
        )


def test_fixed_step():
    compare(FIXED, [["--stop-time", "1", "--step", h] for h in ("0.02", "0.01")])


def test_variable_step():
    compare(VARIABLE, [["--stop-time", "20", "--tolerance", r] for r in ("1e-5", "1e-7")])


# Mixed mode: u and the stiff v by the inline method, the others by the solver. The inline method
# limits the order.
MIXED = """model MixedSmooth
  Real y(start = 1, fixed = true), u(start = 1, fixed = true), w(start = 0, fixed = true);
  Real v(start = 1, fixed = true);
  Real err = max({abs(y - 1/(1 + time^2)), abs(u - cos(time)), abs(w + sin(time)), abs(v - y)});
equation
  der(y) = -2*time*y*v;
  der(u) = w + (v - y);
  der(w) = -u;
  der(v) = -2*time*y^2 - 50*(v - y);
end MixedSmooth;
"""
INLINE = {"euler": 1, "bdf2": 2, "radau": 3}


def mixed_order(solver, method, settings):
    write("Smooth.mo", MIXED)
    how = ["--inline", "u", "--inline", "v", "--inline-method", method]
    return order(solver, [how + options for options in settings])


def test_mixed_mode_fixed_step():
    steps = [["--stop-time", "1", "--step", h] for h in ("0.01", "0.005")]
    for solver, own in FIXED.items():
        for method, inlined in INLINE.items():
            found, claimed = mixed_order(solver, method, steps), min(own, inlined)
            name = "%s with inline-%s" % (solver, method)
            check(name, abs(found - claimed) <= 0.1 + 0.1 * claimed, "order %.2f" % found)


def test_mixed_mode_variable_step():
    tolerances = [["--stop-time", "10", "--tolerance", r] for r in ("1e-5", "1e-7")]
    for solver in ("dopri5", "rkf45", "radau"):
        for method, claimed in INLINE.items():
            found, name = mixed_order(solver, method, tolerances), "%s with inline-%s" % (
                solver,
                method,
            )
            check(name, abs(found - claimed) <= 0.15 + 0.1 * claimed, "order %.2f" % found)


def test_mixed_mode_keeps_the_tolerance():
    """The error falls with the tolerance, for every solver of the other states."""
    write("Smooth.mo", MIXED)
    for solver in sorted(set(VARIABLE) - {"inline-euler", "inline-bdf2", "inline-radau"}) + [
        "cvode",
        "ida",
        "auto",
    ]:
        for tolerance in (1e-4, 1e-6, 1e-8):
            options = ["--stop-time", "10", "--tolerance", str(tolerance)]
            _, error = run(solver, options + ["--inline", "u", "--inline", "v"])
            check("%s at %g" % (solver, tolerance), error <= 100 * tolerance, error)


def test_every_solver_is_tested():
    missing = {*program.solvers()} - {*FIXED, *VARIABLE} - CHANGES_ORDER
    check("every solver has its order here", not missing, missing)


program.run_tests()
