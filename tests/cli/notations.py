"""The same model in two notations gives the same trajectory."""
import csv, os, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import call, check, example

START = ["--set", "x[1].start=0.3", "--set", "x[2].start=0.826"]
# file, options, variable, Modelica class, variable, sign, tolerance
PAIRS = [
    (
        "dymola/Rectifier.dym",
        ["--stop-time", "0.02"],
        "y",
        "Hybrid.Examples.Circuits.Rectifier",
        "C.v",
        -1,
        1e-5,
    ),
    (
        "dymola/WardLeonard.dym",
        ["--stop-time", "60"],
        "theta",
        "Hybrid.Examples.WardLeonard.Drive",
        "theta",
        1,
        1e-5,
    ),
    (
        "omola/Hysteresis.om",
        ["--stop-time", "1"],
        "x[1]",
        "Hybrid.Examples.Hybrids.Hysteresis",
        "x[1]",
        1,
        1e-7,
    ),
    (
        "omola/Distributed.om",
        ["--stop-time", "1"],
        "x[1]",
        "Hybrid.Examples.Hybrids.DistributedHysteresis",
        "x",
        1,
        1e-7,
    ),
    (
        "omola/SwitchStretch.om",
        ["--stop-time", "1"] + START,
        "x[2]",
        "Hybrid.Examples.Hybrids.SwitchStretch",
        "x[2]",
        1,
        1e-5,
    ),
    (
        "omola/Pait.om",
        ["--stop-time", "10", "--set", "Plant.x[1].start=1"],
        "Plant.x[1]",
        "Hybrid.Examples.Hybrids.Pait",
        "plant.x[1]",
        1,
        1e-5,
    ),
]


def trajectory(model, options, variable):
    rc, _, err = call(
        "simulate", model, *options, "--tolerance", "1e-9", "--output", "r.csv", "--quiet"
    )
    assert rc == 0, (model, err)
    rows = {}
    for row in csv.DictReader(open("r.csv")):
        rows[round(float(row["time"]), 9)] = float(row[variable])  # the right limit at an event
    return rows


def test_pairs():
    for path, options, variable, name, other, sign, tolerance in PAIRS:
        plain = [
            o
            for i, o in enumerate(options)
            if o != "--set" and (i == 0 or options[i - 1] != "--set")
        ]
        a, b = trajectory(example(path), options, variable), trajectory(name, plain, other)
        common = sorted(set(a) & set(b))
        worst = max(abs(a[t] - sign * b[t]) for t in common)
        check(
            "%s and %s" % (path, name),
            len(common) >= 400 and worst <= tolerance,
            "%g over %d points" % (worst, len(common)),
        )


program.run_tests()
