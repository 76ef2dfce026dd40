"""The classical initial value problems of tests/models/ivp at tolerances from 1e-3 to 1e-10: the
error is at most 100 times the tolerance, relative to the size of each component, or the run ends
with an error message. `python3 tests/cli/initial_value_problems.py KAIROS` also prints the table of
docs/numerics.md."""
import csv, glob, os, re, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import TOP, call, check

TOLERANCES = ["1e-3", "1e-4", "1e-6", "1e-8", "1e-10"]
ALLOWED = 1e-4  # part of the size that an expectation allows, at tolerance 1e-6
# errors above 100 times the tolerance, with their limits
EXCEPTIONS = {("hires", "1e-10"): 210, ("hires", "1e-4"): 110}


def references(path):
    """The stop time, and per variable its reference value and its size."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    found = re.findall(r"^// expect (\S+)\(.*?\) = (\S+) ± (\S+)", text, re.M)
    stop = re.search(r"--stop-time (\S+)", text)[1]
    return stop, {name: (float(value), float(error) / ALLOWED) for name, value, error in found}


def last_row():
    with open("x.csv", newline="") as f:
        rows = list(csv.reader(f))
    return dict(zip(rows[0], map(float, rows[-1])))


def error_of(path, tolerance):
    """The largest error in units of the tolerance; None after an error message."""
    stop, values = references(path)
    status, _, errors = call(
        *("simulate", path, "--stop-time", stop, "--tolerance", tolerance),
        *("--intervals", "10", "--output", "x.csv")
    )
    if status:
        check(path + " says what is wrong", status == 3 and "error[" in errors, errors)
        return None
    last = last_row()
    worst = max(abs(last[name] - value) / size for name, (value, size) in values.items())
    return worst / float(tolerance)


def test_errors():
    print("| problem |", " | ".join(TOLERANCES), "|")
    for path in sorted(glob.glob(os.path.join(TOP, "tests", "models", "ivp", "*.mo"))):
        name = os.path.basename(path)[:-3]
        row = [error_of(path, tolerance) for tolerance in TOLERANCES]
        for tolerance, error in zip(TOLERANCES, row):
            limit = EXCEPTIONS.get((name, tolerance), 100)
            check("%s at %s" % (name, tolerance), error is None or error <= limit, error)
        cells = ("message" if e is None else "< 0.1" if e < 0.1 else "%.2g" % e for e in row)
        print("| %s |" % name, " | ".join(cells), "|")


program.run_tests()
