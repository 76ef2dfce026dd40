"""The Reference FMUs of the Modelica Association in `kairos simulate`. KAIROS_REFERENCE_FMUS names
a folder with their sources and, in folders `built/1me`, `built/1cs`, `built/2` and `built/3`, the
FMUs that their CMake project makes for these versions. FMI 1 may be missing, because newer
versions of the project do not make it.

Their published results (NAME_out.csv) come from their own explicit Euler with a fixed step. So
co-simulation must agree with them at all points, and model exchange with the same method. With our
own methods, closed forms are compared."""
import csv, math, os, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import client, program
from client import Result
from program import call, check

FOLDER = os.environ["KAIROS_REFERENCE_FMUS"]
HAS_FMI1 = os.path.isdir(os.path.join(FOLDER, "built", "1me"))
WAYS = [("1me", "me"), ("1cs", "cs")] if HAS_FMI1 else []
WAYS += [("2", "me"), ("2", "cs"), ("3", "me"), ("3", "cs")]
EXCHANGE = [version for version, kind in WAYS if kind == "me"]


def simulated(name, version, kind, *options):
    fmu = os.path.join(FOLDER, "built", version, name + ".fmu")
    if not os.path.exists(fmu):
        return None
    kinds = [] if kind == "auto" else ["--kind", kind]
    rc, out, err = call("simulate", fmu, *kinds, "-o", "r.csv", *options)
    check("%s, FMI %s, %s" % (name, version, kind), rc == 0, err[-1500:])
    return Result("r.csv") if rc == 0 else None


def value(result, name, time):
    at = max(i for i, t in enumerate(result.times) if t <= time + 1e-9)
    return result.rows[at][result.column[name]]


def published(name):
    """Rows of the published result: time, and the values of numbers by name."""
    with open(os.path.join(FOLDER, name, name + "_out.csv"), newline="") as f:
        for row in csv.DictReader(f):
            numbers = {k: float(v) for k, v in row.items() if is_number(v)}
            yield numbers.pop("time"), numbers


def is_number(text):
    try:
        float(text)
        return True
    except ValueError:
        return False


def compare(name, result, close, until=math.inf):
    for time, values in published(name):
        if time > min(until, result.times[-1]):
            return
        for key, wanted in values.items():
            found = value(result, key, time) if key in result.column else None
            if found is None or not abs(found - wanted) <= close * (1 + abs(wanted)):
                check("%s: %s at %g" % (name, key, time), False, (found, wanted))
                return


def test_published():
    for version, kind in WAYS:
        for name, step, intervals, until in (
            ("Dahlquist", "0.1", "100", math.inf),
            ("VanDerPol", "0.01", "2000", math.inf),
            ("Resource", "0.1", "10", math.inf),
            ("Stair", "0.1", "50", 9.9),
            ("BouncingBall", "0.001", "300", 1.5),
        ):
            options = ["--intervals", intervals]
            options += ["--solver", "euler", "--step", step] if kind == "me" else []
            result = simulated(name, version, kind, *options)
            # an impact is located in model exchange, and found at the end of a step by the FMU
            loose = kind == "me" and name == "BouncingBall"
            if result:
                compare(name, result, 0.1 if loose else 1e-9, until)


def test_stair():
    """Nine events with two rows each."""
    for version, kind in WAYS:
        result = simulated("Stair", version, kind)
        if not result:
            continue
        # FMI 1 cannot end the simulation, so its tenth step is at the stop time
        events = [a for a, b in zip(result.times, result.times[1:]) if a == b and a < 9.5]
        close = len(events) == 9 and all(abs(t - k - 1) < 1e-9 for k, t in enumerate(events))
        check("nine events, FMI %s, %s" % (version, kind), close, events)


def test_impacts():
    """With our solvers, impacts are where the closed form has them."""
    for version in EXCHANGE:
        result = simulated("BouncingBall", version, "me", "--tolerance", "1e-9")
        events = [a for a, b in zip(result.times, result.times[1:]) if a == b]
        fall = math.sqrt(2 / 9.81)
        for k in range(6):
            time = fall * (1 + 2 * sum(0.7 ** (i + 1) for i in range(k)))
            check("impact at %g" % time, any(abs(t - time) < 1e-6 for t in events), events)
        check("the ball rests", abs(result.rows[-1][result.column["v"]]) == 0)


def test_exact():
    for version in EXCHANGE:
        result = simulated("Dahlquist", version, "me", "--tolerance", "1e-9")
        x = value(result, "x", 5)
        check("x(5)", abs(x - math.exp(-5)) < 1e-8, x)
    result = simulated("StateSpace", "3", "me", "--tolerance", "1e-9")
    for k in (1, 2, 3):  # x' = x + u, y = x + u
        y = value(result, "y[%d]" % k, 2)
        check("y[%d]" % k, abs(y - k * math.exp(2)) < 1e-5, y)


def test_roberts():
    """Robertson's problem, with the values that are published for t = 40. Co-simulation takes its
    own small steps of Euler's method: a short span only."""
    result = simulated("Roberts", "3", "me", "--tolerance", "1e-9", "--stop-time", "40")
    if not result:
        return
    for name, wanted in (("y1", 0.7158270688), ("y2", 0.9185534765e-5), ("y3", 0.2841637457)):
        found = value(result, name, 40)
        check("%s(40)" % name, abs(found - wanted) <= 1e-5 * wanted, (found, wanted))
    options = ["--stop-time", "0.1", "--intervals", "10"]
    for kind in ("me", "cs"):
        y1 = value(simulated("Roberts", "3", kind, *options), "y1", 0.1)
        check("y1(0.1), %s" % kind, abs(y1 - 0.99607775) < 1e-5, y1)


def test_clocks():
    """As the table in their description says."""
    inputs = ["--input", "inClock2=time < 0.5 or time > 7.5", "--input", "input2=2"]
    result = simulated("Clocks", "3", "auto", "--intervals", "100", *inputs)
    wanted = {
        "inClock1Ticks": {0: 1, 0.9: 1, 1: 2, 9: 10},
        "inClock2Ticks": {0: 1, 7: 1, 7.6: 2},
        "inClock3Ticks": {3.9: 0, 4: 1, 9: 1},
        "totalInClockTicks": {0: 2, 3: 5, 4: 7},
        "output3": {3.9: 0, 4: 1000},
        "result2": {0: 2, 8: 4},
        "outClock": {2.9: 0, 3: 1, 7: 2},
    }
    for name, points in wanted.items():
        found = {t: value(result, name, t) for t in points}
        check(name, found == points, found)


def test_feedthrough():
    inputs = ["Float64_continuous_input=sin(3*time)", "Int32_input=if time < 1 then 2 else -3"]
    inputs += ["Boolean_input=time > 0.5 and time < 1.5", "Enumeration_input=2"]
    options = [o for i in inputs for o in ("--input", i)]
    for version, kind in WAYS:
        result = simulated("Feedthrough", version, kind, *options)
        if not result:
            continue
        for t in (0.4, 0.8, 1.2, 1.6):
            wanted = {
                "Float64_continuous_output": math.sin(3 * t),
                "Int32_output": 2 if t < 1 else -3,
                "Boolean_output": 1 if 0.5 < t < 1.5 else 0,
                "Enumeration_output": 2,
            }
            for name, want in wanted.items():
                found = value(result, name, t)
                what = "FMI %s, %s: %s(%g)" % (version, kind, name, t)
                check(what, abs(found - want) < 1e-9, (found, want))


program.run_tests()
