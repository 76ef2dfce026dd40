"""Every solver of high order finds the same events: solvers.py KAIROS. Runs in an empty folder; says what differs and exits with 1."""
import glob, json, os, re, subprocess, sys

KAIROS = sys.argv[1]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOLVERS = ("dopri5", "cvode", "radau", "ida")
LONG = ("Ticks.mo", "dense.mo", "dense_stiff.mo", "dense_then_rare.mo")  # many events of one kind


def models():
    for folder in ("examples/events", "tests/models/events"):
        for path in sorted(glob.glob(os.path.join(TOP, folder, "*.mo"))):
            with open(path) as f:
                text = f.read()
            if "expect error" in text or os.path.basename(path) in LONG:
                continue
            name = re.search(r"^// model (\S+)", text, re.M)
            yield path, ["--model", name.group(1)] if name else []


def events(path, options, solver):
    p = subprocess.run([KAIROS, "simulate", path, *options, "--solver", solver, "--tolerance", "1e-9", "--quiet", "--output", "r.csv",
                        "--events", "e.jsonl"], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    assert p.returncode == 0, "%s with %s: exit %d\n%s" % (path, solver, p.returncode, p.stderr.decode())
    with open("e.jsonl") as f:
        return [json.loads(line)["time"] for line in f]


def main():
    failed = 0
    for path, options in models():
        times = {solver: events(path, options, solver) for solver in SOLVERS}
        first = times[SOLVERS[0]]
        for solver, found in times.items():
            near = len(found) == len(first) and all(abs(a - b) <= 1e-6 * max(1, abs(b)) for a, b in zip(found, first))
            if not near:
                print("%s: %s finds %s, %s finds %s" % (path, solver, found[:20], SOLVERS[0], first[:20]))
                failed += 1
    return failed


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
