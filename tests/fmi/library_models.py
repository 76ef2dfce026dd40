"""Examples of the Modelica Standard Library as FMUs against `kairos simulate`. KAIROS_MSL names the
folder of the library; KAIROS_MSL_EVERY = N takes every Nth of the models that pass (default 40)."""
import csv, os, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import client, program
from program import TOP, call, check

INTERVALS, TOLERANCE = 50, 1e-7
# Of the largest value. Sums that vanish are left out, and derivatives, whose errors are those of
# states by small time constants.
AGREE = 1e-2
SMALL = 1e-2  # values of this size are compared absolutely
# These need an implicit integrator, which our importer does not have, or have forces that the
# equations do not determine.
SLOW = ("Spice3", "Machines", "PowerConverters", "CauerLowPassSC", "Thyristor", "Fluid", "Noise")
SLOW += ("Constraints",)


def models():
    with open(os.path.join(TOP, "tests/libraries/msl-4.1.0.txt")) as f:
        names = [line.split()[0] for line in f if line[0] not in "#\n"]
    every = int(os.environ.get("KAIROS_MSL_EVERY", 40))
    return names[::every]


def simulate(model):
    options = ["--intervals", str(INTERVALS), "--tolerance", str(TOLERANCE), "--hide-protected"]
    library = ["--library", os.environ["KAIROS_MSL"]]
    try:
        rc, out, err = call("simulate", model, *library, "-o", "r.csv", *options, timeout=30)
    except subprocess.TimeoutExpired:
        return None  # too long for a test
    check(model + " runs", rc == 0, err[-500:])
    return client.Result("r.csv") if rc == 0 else None


def imported(kind, stop):
    """The same by `kairos simulate`, for stiff models: our importer has an explicit method."""
    options = ["--kind", kind, "--intervals", str(INTERVALS), "--tolerance", str(TOLERANCE)]
    rc, out, err = call("simulate", "m.fmu", "--stop-time", str(stop), *options, "-o", "f.csv")
    if rc:
        return [], rc, "", err
    with open("f.csv") as f:
        names, *rows = f.read().splitlines()
    return next(csv.reader([names])), rc, "\n".join(rows), err


def problems(result, columns, rc, out, err):
    """What differs from the result of the model."""
    if rc:
        return ["it fails: " + err[-500:]]
    rows = client.read_rows(out)[:-1]  # at the end, events may be left out
    sizes = zip(result.names, result.sizes())
    large = [n for n, size in sizes if size > SMALL and not n.startswith("der(")]
    columns = [n if n in large else "" for n in columns]
    return list(client.differences(result, columns, rows, AGREE))


def compare(model, version, kind, result):
    what = "%s, FMI %d, %s" % (model, version, kind)
    fmu, messages = client.export(model, version, kind, "--library", os.environ["KAIROS_MSL"])
    if not fmu:
        check(what + " is exported", kind == "me" and "--kind cs" in messages, messages[:500])
        return
    for text in fmu.broken_rules():
        check(what, False, text)
    columns = fmu.describe(kind, "d.txt")
    plan = (fmu.start, result.times[-1], INTERVALS, TOLERANCE, "equal")
    try:
        found = problems(result, columns, *client.run_importer("run", "d.txt", *plan, timeout=60))
    except subprocess.TimeoutExpired:
        found = ["it takes too long"]
    if found and (kind == "me" or found[0] == "it takes too long"):
        found = problems(result, *imported(kind, result.times[-1]))
    for text in found:
        check(what, False, text)


def test_co_simulation():
    for i, model in enumerate(models()):
        result = simulate(model)
        if result:
            compare(model, 2 + i % 2, "cs", result)


def test_model_exchange():
    for i, model in enumerate(models()):
        result = None if any(word in model for word in SLOW) else simulate(model)
        if result:
            compare(model, 3 - i % 2, "me", result)


program.run_tests()
