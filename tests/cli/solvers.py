"""Every solver of high order finds the same events, those of low order converge to them."""
import csv, glob, json, math, os, re, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program, solver_table
from program import TOP, call, check

# those that `auto` may use; the first, an explicit one, is the reference
SOLVERS = sorted(
    (name for name, has in solver_table.solvers().items() if "AUTO" in has and "INLINE" not in has),
    key=lambda name: "EXPLICIT" not in solver_table.solvers()[name],
)
COUNTS_DIFFER = (
    "BouncingBallFlying.mo",
    "ball_flying.mo",
)  # impacts of the order of the error decide how many there are
# crossings by rounding, before the motion slides: their number means nothing
CHATTERING = ("Chattering.mo",)
LONG = ("Ticks.mo", "dense.mo", "dense_stiff.mo", "dense_then_rare.mo")  # many events of one kind


def models():
    for folder in ("examples/events", "tests/models/events"):
        for path in sorted(glob.glob(os.path.join(TOP, folder, "*.mo"))):
            with open(path) as f:
                text = f.read()
            if "expect error" in text or os.path.basename(path) in LONG:
                continue
            name, stop = re.search(r"^// model (\S+)", text, re.M), re.search(
                r"StopTime\s*=\s*([-+.\de]+)", text
            )
            yield path, ["--model", name[1]] if name else [], float(stop[1] if stop else 1)


def events(path, options, solver, *more):
    rc, _, err = call(
        "simulate",
        path,
        *options,
        "--solver",
        solver,
        *(more or ("--tolerance", "1e-9")),
        "--quiet",
        "--output",
        "r.csv",
        "--events",
        "e.jsonl"
    )
    assert rc == 0, "%s with %s: exit %d\n%s" % (path, solver, rc, err)
    with open("e.jsonl") as f:
        times = [json.loads(line)["time"] for line in f]
    return times[:1] if os.path.basename(path) in CHATTERING else times


def error(found, first):
    """The largest error of an instant; infinite if their number differs."""
    return (
        max((abs(a - b) for a, b in zip(found, first)), default=0)
        if len(found) == len(first)
        else float("inf")
    )


def low_order(path, options, stop, first):
    """Methods of low order, and those with a fixed step, come nearer with smaller steps."""
    name = os.path.basename(path)
    tries = [
        ("euler", [("--step", repr(stop / 4000)), ("--step", repr(stop / 16000))], 1e-9),
        ("rk4", [("--step", repr(stop / 4000))], 1e-6),
        ("inline-euler", [("--tolerance", "1e-4"), ("--tolerance", "1e-7")], 1e-6),
        ("inline-bdf2", [("--tolerance", "1e-6")], 1e-3),
        ("inline-radau", [("--tolerance", "1e-6")], 1e-5),
    ]
    tried = {*solver_table.high_order()} | {solver for solver, _, _ in tries}
    check("a way for every solver", tried == {*program.solvers()}, tried)
    for solver, ways, near in tries:
        if name in COUNTS_DIFFER and "euler" in solver:
            continue
        errors = [error(events(path, options, solver, *way), first) for way in ways]
        nearer = len(errors) > 1 and errors[-1] <= 0.5 * errors[0] < float("inf")
        check(
            "%s: %s" % (path, solver),
            errors[-1] <= near or nearer,
            "wrong by " + " then ".join("%.1e" % e for e in errors),
        )


def test_same_events():
    found = list(models())
    check("there are models", len(found) > 10, len(found))
    for path, options, stop in found:
        times = {solver: events(path, options, solver) for solver in SOLVERS}
        first = times[SOLVERS[0]]
        for solver, here in times.items():
            check(
                "%s: %s" % (path, solver),
                error(here, first) <= 1e-6 * max(1, stop),
                "finds %s, %s finds %s" % (here[:20], SOLVERS[0], first[:20]),
            )
        low_order(path, options, stop, first)


def test_auto_in_a_large_model():
    """A restart at each event discards the history of the multistep method, in any size."""
    rooms = os.path.join(TOP, "bench/models/Rooms.mo")
    options = ("--set", "N=1100", "--stop-time", "0.45", "--variables", "^supply$")
    options += ("--log", "stats")
    rc, _, err = call("simulate", rooms, *options, "--output", "r.csv")
    check("another method takes over", rc == 0 and re.search("with dopri5: events are dense", err),
          err)
    states = int(re.search(r"(\d+) states", err)[1])
    check("large", states == 1101, states)
    rc, _, again = call("simulate", rooms, *options, "--solver", "dopri5", "--output", "s.csv")
    values = []
    for name in ("r.csv", "s.csv"):
        with open(name) as f:
            values.append([float(x) for x in f.read().split("\n")[-2].split(",")])
    check("same end", abs(values[0][1] - values[1][1]) < 1e-4, values)


PUMP = """model Pump
  Real head(start = 0, fixed = true), speed(start = 0);
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(head) = -1000*head;
  head = if noEvent(speed >= 0) then speed^2*(3 + speed) else -speed^2;
  der(x) = -1000*(x - cos(time));
  der(y) = speed + x - y;
end Pump;
"""


def test_block_at_rest():
    """The speed of the pump has no slope at rest. Implicit methods go on with long steps."""
    with open("Pump.mo", "w") as f:
        f.write(PUMP)
    options = ("--stop-time", "10", "--log", "stats", "--output", "r.csv")
    exact = (1e6 * math.cos(10) + 1e3 * math.sin(10)) / (1e6 + 1)
    for solver in ("cvode", "radau", "esdirk"):
        rc, _, err = call("simulate", "Pump.mo", "--solver", solver, *options)
        steps = int(re.search(r"(\d+) steps", err)[1])
        check("%s takes long steps" % solver, rc == 0 and steps < 500, err)
        with open("r.csv") as f:
            rows = list(csv.reader(f))
        x = float(rows[-1][rows[0].index("x")])
        check("%s is right" % solver, abs(x - exact) < 1e-5, (x, exact))


program.run_tests()
