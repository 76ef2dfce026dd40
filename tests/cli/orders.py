"""Every method has the order it claims.

y' = -2 t y^2, y = 1/(1 + t^2), beside an oscillator. Methods with a fixed step: the slope of the error over the step. The others choose their
steps by the tolerance: the slope of the error over the number of steps."""
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


def test_every_solver_is_tested():
    missing = {*program.solvers()} - {*FIXED, *VARIABLE} - CHANGES_ORDER
    check("every solver has its order here", not missing, missing)


program.run_tests()
