"""FMUs of the examples in FMPy, which validates and simulates them. KAIROS_FMPY names the folder
with its package, KAIROS_FMPY_PYTHON the interpreter that has numpy and lxml (default: this one)."""
import os, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import client, program
from program import call, check

INTERVALS = 50
AGREE = 1e-4  # of the largest value
# Validates an FMU, simulates it and writes the rows of Real variables.
SCRIPT = """
import csv, sys
from fmpy import simulate_fmu
from fmpy.validation import validate_fmu
path, stop, interval, names = sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), sys.argv[4:]
problems = validate_fmu(path)
if problems:
    sys.exit("\\n".join(problems))
rows = simulate_fmu(path, stop_time=stop, output_interval=interval, output=names, solver="Euler",
                    relative_tolerance=1e-8)
with open("rows.csv", "w") as f: # FMPy prints messages of its own
    csv.writer(f).writerows([list(map(float, r)) for r in rows])
"""


def run_fmpy(*arguments):
    python = os.environ.get("KAIROS_FMPY_PYTHON", sys.executable)
    p = subprocess.run(
        [python, "-c", SCRIPT, *map(str, arguments)],
        env=dict(os.environ, PYTHONPATH=os.environ["KAIROS_FMPY"]),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
    )
    if p.returncode:
        return p.returncode, "", p.stderr
    with open("rows.csv") as f:
        return 0, f.read(), p.stderr


def real_names(fmu, result):
    """Some Real variables that vary."""
    reals = [v.name for v in fmu.variables if v.continuous() and v.name in result.column]
    return [n for n in reals if n != "time"][:20]


def try_version(version, every):
    for path, name in list(client.examples())[::every]:
        options = ["--intervals", str(INTERVALS), "--tolerance", "1e-8"]
        rc, out, err = call("simulate", path, "-o", "r.csv", "--hide-protected", *options)
        fmu, messages = client.export(path, version, "cs")
        if rc or not fmu:
            continue
        result = client.Result("r.csv")
        names = real_names(fmu, result)
        stop = result.times[-1]
        step = (stop - fmu.start) / INTERVALS
        rc, out, err = run_fmpy("m.fmu", stop, step, *names)
        what = "%s, FMI %d" % (name, version)
        check("%s is valid and runs" % what, rc == 0, err[-500:])
        rows = client.read_rows(out) if rc == 0 else []
        for text in client.differences(result, ["time", *names], rows, AGREE):
            check(what, False, text)


def test_co_simulation_2():
    try_version(2, 2)


def test_co_simulation_3():
    try_version(3, 2)


def test_model_exchange():
    """FMPy has Euler's method only, if it is not built: the FMU is validated and runs."""
    for version in (2, 3):
        for path, name in list(client.examples())[::4]:
            fmu, messages = client.export(path, version, "me")
            if fmu:
                rc, out, err = run_fmpy("m.fmu", fmu.start + 0.01, 0.001)
                check("%s, FMI %d" % (name, version), rc == 0, err[-500:])


program.run_tests()
