"""FMUs of the examples in fmusim, the simulator that the Reference FMUs had up to version 0.0.40.
KAIROS_FMUSIM names the program. It integrates model exchange with CVODE."""
import os, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import client, program
from program import call, check

INTERVALS, TOLERANCE = 50, 1e-8
AGREE = 1e-4  # of the largest value
# fmusim takes instants closer than 1e-5 s as one, so in model exchange it misses events here.
CLOSE = ("examples/Flyback.mo",)


def run_fmusim(kind, stop, step, names):
    options = ["--interface-type", kind, "--stop-time", stop, "--output-interval", step]
    options += ["--tolerance", TOLERANCE, "--output-file", "rows.csv"]
    options += ["--solver", "cvode"] if kind == "me" else []
    for name in names:
        options += ["--output-variable", name]
    words = [os.environ["KAIROS_FMUSIM"], *map(str, options), "m.fmu"]
    p = subprocess.run(words, capture_output=True, text=True, timeout=120)
    return p.returncode, p.stdout + p.stderr


def try_example(path, what, version, kind):
    fmu, messages = client.export(path, version, kind)
    if not fmu:
        return
    reach = client.ME_STOPS.get(os.path.relpath(path, program.TOP)) if kind == "me" else None
    options = ["--stop-time", str(reach)] if reach else []
    options += ["--intervals", str(INTERVALS), "--tolerance", str(TOLERANCE), "--hide-protected"]
    rc, out, err = call("simulate", path, "-o", "r.csv", *options)
    if rc:
        return
    result = client.Result("r.csv")
    reals = [v.name for v in fmu.variables if v.continuous() and v.name in result.column]
    names = [n for n in reals if n != "time"][:20]
    stop = result.times[-1]
    step = (stop - fmu.start) / INTERVALS
    rc, text = run_fmusim(kind, stop, step, names)
    what = "%s, FMI %d, %s" % (what, version, kind)
    check(what + " runs", rc == 0, text[-500:])
    if rc or not names:
        return
    # rows at events are at other times than ours
    at_grid = lambda t: abs((t - fmu.start) / step - round((t - fmu.start) / step)) < 1e-9
    rows = [row for row in client.Result("rows.csv").rows if at_grid(row[0])]
    for text in client.differences(result, ["time", *names], rows, AGREE):
        check(what, False, text)


def try_all(version, kind):
    for path, what in client.examples():
        if kind == "cs" or what not in CLOSE:
            try_example(path, what, version, kind)


def test_co_simulation_2():
    try_all(2, "cs")


def test_co_simulation_3():
    try_all(3, "cs")


def test_model_exchange_2():
    try_all(2, "me")


def test_model_exchange_3():
    try_all(3, "me")


program.run_tests()
