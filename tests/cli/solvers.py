"""Every solver of high order finds the same events, those of low order converge to them: solvers.py KAIROS. Runs in an empty folder; says what differs and
exits with 1."""
import glob, json, os, re, subprocess, sys

KAIROS = sys.argv[1]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOLVERS = ("dopri5", "cvode", "radau", "ida")
COUNTS_DIFFER = ("BouncingBallFlying.mo", "ball_flying.mo")  # impacts of the order of the error decide how many there are
LONG = ("Ticks.mo", "dense.mo", "dense_stiff.mo", "dense_then_rare.mo")  # many events of one kind


def models():
    for folder in ("examples/events", "tests/models/events"):
        for path in sorted(glob.glob(os.path.join(TOP, folder, "*.mo"))):
            with open(path) as f:
                text = f.read()
            if "expect error" in text or os.path.basename(path) in LONG:
                continue
            name, stop = re.search(r"^// model (\S+)", text, re.M), re.search(r"StopTime\s*=\s*([-+.\de]+)", text)
            yield path, ["--model", name[1]] if name else [], float(stop[1] if stop else 1)


def events(path, options, solver, *more):
    p = subprocess.run([KAIROS, "simulate", path, *options, "--solver", solver, *(more or ("--tolerance", "1e-9")), "--quiet", "--output", "r.csv",
                        "--events", "e.jsonl"], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    assert p.returncode == 0, "%s with %s: exit %d\n%s" % (path, solver, p.returncode, p.stderr.decode())
    with open("e.jsonl") as f:
        return [json.loads(line)["time"] for line in f]


def error(found, first):
    """The largest error of an instant; infinite where their number differs."""
    return max((abs(a - b) for a, b in zip(found, first)), default=0) if len(found) == len(first) else float("inf")


def low_order(path, options, stop, first):
    """What of the methods of low order, and of those with a fixed step, does not come nearer with smaller steps, or not near enough."""
    name, wrong = os.path.basename(path), []
    tries = [("euler", [("--step", repr(stop / 4000)), ("--step", repr(stop / 16000))], 1e-9), ("rk4", [("--step", repr(stop / 4000))], 1e-6),
             ("inline-euler", [("--tolerance", "1e-4"), ("--tolerance", "1e-6")], 1e-6), ("inline-bdf2", [("--tolerance", "1e-6")], 1e-3),
             ("inline-radau", [("--tolerance", "1e-6")], 1e-5)]
    for solver, ways, near in tries:
        if name in COUNTS_DIFFER and "euler" in solver:
            continue
        errors = [error(events(path, options, solver, *way), first) for way in ways]
        if errors[-1] > near and not (len(errors) > 1 and errors[-1] <= 0.5 * errors[0] < float("inf")):
            wrong.append("%s: %s is wrong by %s" % (path, solver, " then ".join("%.1e" % e for e in errors)))
    return wrong


def main():
    failed = 0
    for path, options, stop in models():
        times = {solver: events(path, options, solver) for solver in SOLVERS}
        first = times[SOLVERS[0]]
        for solver, found in times.items():
            if not error(found, first) <= 1e-6 * max(1, stop):
                print("%s: %s finds %s, %s finds %s" % (path, solver, found[:20], SOLVERS[0], first[:20]))
                failed += 1
        for line in low_order(path, options, stop, first):
            print(line)
            failed += 1
    return failed


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
