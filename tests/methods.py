"""Every method on the models of variable structure under examples/. Prints how far each is from the
first, relative to the range of each variable, at points of the output.

usage: methods.py KAIROS [--only RE]"""
import argparse, csv, math, os, re, subprocess, sys, tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
METHODS = {  # name: options, allowed difference
    "modes": (["--structure", "modes", "--solver", "cvode"], 0),
    "dopri5": (["--solver", "dopri5"], 1e-4),
    "radau": (["--solver", "radau"], 1e-4),
    "inline-radau": (["--solver", "inline-radau"], 1e-4),
    "inline-bdf2": (["--solver", "inline-bdf2"], 2e-3),
    "mixed": (["--structure", "mixed"], 1e-4),
}
CASES = {  # model: variables that are unique, and continuous at the compared rows
    "RLC.mo": "C.v",
    "Pendulum.mo": "y",
    "Thyristor.mo": "i",
    "ThyristorResistor.mo": "i",
    "BlockWithFriction.mo": "v",
    "TwoBlocks.mo": "v1 v2",
    "FrictionDeclarative.mo": "v",
    "DiodeInductor.mo": "uC iD",
    "DiodeAcrossCapacitor.mo": "v",
    "Clutch.mo": "w1 w2",
    "ModeDependentIndex.mo": "x",
    "CapacitorsJoined.mo": "v1 v2",
    "BuckConverter.mo": "vC iL",
    "SixJoints.mo": "w1 w6 q3",
    "hybrid/Rectifier.mo": "C.v",
    "hybrid/Bridge.mo": "C.v",
}


def simulate(kairos, model, options, out):
    p = subprocess.run(
        [
            kairos,
            "simulate",
            os.path.join(TOP, "examples", model),
            "--output",
            out,
            "--tolerance",
            "1e-8",
        ]
        + options,
        capture_output=True,
        text=True,
        timeout=120,
    )
    if p.returncode:
        return None
    with open(out, newline="") as f:
        table = list(csv.reader(f))
    return table[0], {round(float(r[0]), 12): r for r in table[1:]}  # right limits


def differ(a, b, names):
    """The largest difference relative to the range of each, at the instants both have; the last
    instant before an event of one may lie after that of the other."""
    worst = 0
    for name in names:
        ka, kb = a[0].index(name), b[0].index(name)
        values = [float(r[ka]) for r in a[1].values()]
        size = max(values) - min(values) or 1
        apart = sorted(
            abs(float(a[1][t][ka]) - float(b[1][t][kb])) / size for t in a[1] if t in b[1]
        )
        worst = max(worst, apart[-1] if all(map(math.isfinite, apart)) else math.inf)
    return worst


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("kairos")
    ap.add_argument("--only", default="")
    args = ap.parse_args()
    bad = 0
    print("%-26s" % "" + "".join("%14s" % m for m in METHODS))
    with tempfile.TemporaryDirectory() as d:
        for model, names in CASES.items():
            if not re.search(args.only, model):
                continue
            first, cells = None, []
            for method, (options, allowed) in METHODS.items():
                r = simulate(args.kairos, model, options, os.path.join(d, "r.csv"))
                first = first or r
                far = math.inf if r is None else differ(first, r, names.split())
                bad += not far <= allowed
                cells.append("%12.1e%2s" % (far, "" if far <= allowed else " !"))
            print("%-26s" % model + "".join(cells), flush=True)
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
