#!/usr/bin/env python3
"""independence.py KAIROS [--filter TEXT]

A trajectory does not depend on how long the run is, on how many rows are written, or on what is
logged: over all examples such a change moves the values at the end by no more than a tenfold change
of the tolerance does.
"""
import argparse, csv, glob, math, os, re, subprocess, sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SLOW = {"SixJoints", "Buck", "FanOut"}
AT_END = {"Staircase"}  # an event lies at the time that is compared, up to rounding
PATTERNS = ("*.mo", "events/*.mo", "hybrid/*.mo", "dymola/*.dym", "omola/*.om")


def run(kairos, path, at, *options):
    """The last row at the time `at`; None if the run fails or takes long."""
    try:
        p = subprocess.run(
            [kairos, "simulate", path, "--output", "i.csv", "--quiet", *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=60,
        )
    except subprocess.TimeoutExpired:
        return None
    if p.returncode:
        return None
    with open("i.csv") as f:
        rows = list(csv.reader(f))
    near = [r for r in rows[1:] if abs(float(r[0]) - at) <= 1e-9 * abs(at)]
    return dict(zip(rows[0], [float(x) if x else math.nan for x in near[-1]])) if near else None


def distance(a, b):
    """The largest difference of continuous values, relative to 1 + their size; and the variable."""
    worst, name = 0.0, ""
    for key in a:
        x, y = a[key], b.get(key, math.nan)
        if key == "time" or key.startswith("der(") or math.isnan(x) or math.isnan(y):
            continue
        d = abs(x - y) / (1 + abs(x))
        if d > worst:
            worst, name = d, key
    return worst, name


def check(kairos, path):
    with open(path) as f:
        text = f.read()
    m = re.search(r"StopTime\s*=\s*([0-9.eE+-]+)", text)
    stop = float(m.group(1)) if m else 1.0
    n, tolerance = 50, 1e-7
    base = ["--stop-time", repr(stop), "--intervals", str(n)]
    first = run(kairos, path, stop, *base, "--tolerance", repr(tolerance))
    if first is None:
        return []
    other = run(kairos, path, stop, *base, "--tolerance", repr(10 * tolerance))
    allowed = max(10 * distance(first, other)[0] if other else 0, 1000 * tolerance)
    if allowed > 0.1:
        return []
    changes = {
        "longer": ["--stop-time", repr(1.3 * stop), "--intervals", str(n * 13 // 10)],
        "more rows": ["--stop-time", repr(stop), "--intervals", str(n * 37)],
        "fewer rows": ["--stop-time", repr(stop), "--intervals", "3"],
        "logged": base + ["--log", "events,modes,stats,blocks,init"],
        "one variable": base + ["--variables", "^" + re.escape(sorted(first)[-1]) + "$"],
    }
    early = run(kairos, path, stop / n, *base, "--tolerance", repr(tolerance))
    if early:
        changes["much shorter"] = ["--stop-time", repr(stop / n), "--intervals", "1"]
    if "terminal()" in text:
        del changes["longer"], changes["much shorter"]
    wrong = []
    for name, options in changes.items():
        at, there = (stop / n, early) if name == "much shorter" else (stop, first)
        got = run(kairos, path, at, *options, "--tolerance", repr(tolerance))
        d, variable = distance({k: there[k] for k in got}, got) if got else (math.inf, "no result")
        if d > allowed:
            wrong.append(
                "%s, %s: %s differs by %.3g, allowed %.3g"
                % (os.path.relpath(path, TOP), name, variable, d, allowed)
            )
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kairos")
    parser.add_argument("--filter", default="")
    args = parser.parse_args()
    files = sorted(
        f
        for pattern in PATTERNS
        for f in glob.glob(os.path.join(TOP, "examples", pattern))
    )
    wrong = []
    for f in files:
        if args.filter in f and os.path.splitext(os.path.basename(f))[0] not in SLOW | AT_END:
            found = check(args.kairos, f)
            wrong += found
            for line in found:
                print(line, flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
