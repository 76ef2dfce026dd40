"""The same model in two notations gives the same trajectory."""
import csv, os, subprocess, sys

KAIROS = sys.argv[1]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
START = ["--set", "x[1].start=0.3", "--set", "x[2].start=0.826"]
# file, options, variable, Modelica class, variable, sign, tolerance
PAIRS = [
    ("dymola/Rectifier.dym", ["--stop-time", "0.02"], "y", "Hybrid.Examples.Circuits.Rectifier", "C.v", -1, 1e-5),
    ("dymola/WardLeonard.dym", ["--stop-time", "60"], "theta", "Hybrid.Examples.WardLeonard.Drive", "theta", 1, 1e-5),
    ("omola/Hysteresis.om", ["--stop-time", "1"], "x[1]", "Hybrid.Examples.Hybrids.Hysteresis", "x[1]", 1, 1e-7),
    ("omola/Distributed.om", ["--stop-time", "1"], "x[1]", "Hybrid.Examples.Hybrids.DistributedHysteresis", "x", 1, 1e-7),
    ("omola/SwitchStretch.om", ["--stop-time", "1"] + START, "x[2]", "Hybrid.Examples.Hybrids.SwitchStretch", "x[2]", 1, 1e-5),
    ("omola/Pait.om", ["--stop-time", "10", "--set", "Plant.x[1].start=1"], "Plant.x[1]", "Hybrid.Examples.Hybrids.Pait", "plant.x[1]", 1, 1e-5),
]


def trajectory(model, options, variable):
    p = subprocess.run([KAIROS, "simulate", model, *options, "--tolerance", "1e-9", "--output", "r.csv", "--quiet"], stderr=subprocess.PIPE)
    if p.returncode:
        print(model, p.stderr.decode())
        return None
    rows = {}
    for row in csv.DictReader(open("r.csv")):
        rows[round(float(row["time"]), 9)] = float(row[variable])  # the right limit at an event
    return rows


failed = 0
for path, options, variable, name, other, sign, tolerance in PAIRS:
    plain = [o for i, o in enumerate(options) if o != "--set" and (i == 0 or options[i - 1] != "--set")]
    a, b = trajectory(os.path.join(TOP, "examples", path), options, variable), trajectory(name, plain, other)
    if not a or not b:
        failed += 1
        continue
    common = sorted(set(a) & set(b))
    worst = max(abs(a[t] - sign * b[t]) for t in common)
    if len(common) < 400 or worst > tolerance:
        failed += 1
        print("%s and %s part: %g over %d points" % (path, name, worst, len(common)))
sys.exit(1 if failed else 0)
