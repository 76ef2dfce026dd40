"""Every method has the order it claims: orders.py KAIROS. Runs in an empty folder; says what differs and exits with 1.

y' = -2 t y^2, y = 1/(1 + t^2), beside an oscillator. Methods with a fixed step: the slope of the error over the step. The others choose their
steps by the tolerance: the slope of the error over the number of steps."""
import csv, math, re, subprocess, sys

KAIROS = sys.argv[1]
FIXED = {"euler": 1, "rk4": 4}
VARIABLE = {"inline-euler": 1, "inline-bdf2": 2, "inline-radau": 3, "dopri5": 5, "rkf45": 5, "radau": 5}
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
    p = subprocess.run([KAIROS, "simulate", "Smooth.mo", "--solver", solver, "--intervals", "1", "--output", "r.csv", "--log", "stats", *options],
                       stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    assert p.returncode == 0, "%s: exit %d\n%s" % (solver, p.returncode, p.stderr)
    with open("r.csv") as f:
        return int(re.search(r"(\d+) steps", p.stderr).group(1)), float(list(csv.DictReader(f))[-1]["err"])


def order(solver, settings):
    (n0, e0), (n1, e1) = (run(solver, options) for options in settings)
    return math.log(e0 / e1) / math.log(n1 / n0)


def main():
    with open("Smooth.mo", "w") as f:
        f.write(MODEL)
    failed = 0
    for solver, claimed in {**FIXED, **VARIABLE}.items():
        if solver in FIXED:
            settings = [["--stop-time", "1", "--step", h] for h in ("0.02", "0.01")]
        else:
            settings = [["--stop-time", "20", "--tolerance", r] for r in ("1e-5", "1e-7")]
        found = order(solver, settings)
        if abs(found - claimed) > 0.1 + 0.1 * claimed:
            print("%s: order %.2f, expected %d" % (solver, found, claimed))
            failed += 1
    return failed


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
