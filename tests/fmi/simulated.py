"""FMUs in `kairos simulate`: our own against the models that they come from, one of FMI 1.0 against
closed forms, names, settings, sweeps, inputs and plots. Wrong archives and descriptions."""
import csv, math, os, platform, re, subprocess, sys, zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import client, program
from client import Result, differences, examples
from program import TOP, call, check, example, write

PLATFORM = "linux64" if platform.machine() == "x86_64" else "linux-aarch64"
BINARY = "binaries/%s/first.so" % PLATFORM
FIRST = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="1.0" modelName="First" modelIdentifier="first" guid="{1}"
  numberOfContinuousStates="1" numberOfEventIndicators="1">
  <DefaultExperiment startTime="0" stopTime="1.6"/>
  <ModelVariables>
    <ScalarVariable name="x" valueReference="1" causality="output">
      <Real start="1"/></ScalarVariable>
    <ScalarVariable name="rate.k" valueReference="2" variability="parameter">
      <Real start="1"/></ScalarVariable>
    <ScalarVariable name="u" valueReference="3" causality="input"><Real start="0"/></ScalarVariable>
    <ScalarVariable name="twice" valueReference="4" causality="output"><Real/></ScalarVariable>
    <ScalarVariable name="counter" valueReference="5" causality="output">
      <Integer/></ScalarVariable>
    <ScalarVariable name="late" valueReference="6" causality="output"><Boolean/></ScalarVariable>
  </ModelVariables>%s
</fmiModelDescription>
"""
CO_SIMULATION = """<Implementation><CoSimulation_StandAlone>
  <Capabilities canHandleVariableCommunicationStepSize="true"/></CoSimulation_StandAlone>
  </Implementation>"""


def pack(path, files):
    """Writes an archive of texts and bytes by name."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        for name, data in files.items():
            z.writestr(name, data)
    return path


def compiled(source, *options):
    command = ["cc", "-shared", "-fPIC", "-w", "-o", "binary.so", source, "-lm", *options]
    subprocess.run(command, check=True, timeout=60)
    with open("binary.so", "rb") as f:
        return f.read()


def first_fmu(kind):
    source = os.path.join(TOP, "tests/fmi/foreign/fmi1.c")
    binary = compiled(source, *(["-DCS"] if kind == "cs" else []))
    text = FIRST % (CO_SIMULATION if kind == "cs" else "")
    return pack("first-%s.fmu" % kind, {"modelDescription.xml": text, BINARY: binary})


def test_failing_steps():
    """A step that fails is reported with the name of the object, and no place in its wrapper."""
    text = """model Falling Real x(start = 1, fixed = true); equation der(x) = -1;
      assert(x > 0.5, "x is too low"); end Falling;"""
    write("Falling.mo", text)
    for kind in ("me", "cs"):
        call("fmu", "Falling.mo", "--kind", kind, "-o", "f.fmu")
        rc, out, err = call("simulate", "f.fmu", "-o", "r.csv")
        named = "\nerror[R015]: Falling.Fmu: f.fmu: fmi2" in err and "destructor" not in err
        check("a step that fails, %s" % kind, rc == 3 and named and "x is too low" in err, err)


def test_assertions():
    """Co-simulation finds the instant of a violation: x = 1 - t is 0.5 at 0.5, and 0.55 at 0.45.
    Model exchange checks at the ends of the importer's steps, here at 0.4 and 0.6."""
    text = """model Falling Real x(start = 1, fixed = true); equation der(x) = -1;
      assert(%s, "not allowed"); end Falling;"""
    steps = ["--solver", "rk4", "--step", "0.2"]
    for condition, instant, seen in (("x > 0.5", 0.5, 0.6), ("abs(x - 0.5) > 0.05", 0.45, None)):
        write("Falling.mo", text % condition)
        call("fmu", "Falling.mo", "--kind", "both", "-o", "f.fmu")
        for kind, time, options in (("cs", instant, []), ("me", seen, steps)):
            rc, out, err = call("simulate", "f.fmu", "--kind", kind, "-o", "r.csv", *options)
            found = re.search(r"not allowed \(at time = ([0-9.e-]+)\)", err)
            good = found and abs(float(found[1]) - time) < 1e-6 if time else rc == 0 and not found
            check("%s, %s" % (condition, kind), good, err)


def event_times(path):
    """Times with two rows."""
    with open(path, newline="") as f:
        times = [float(r[0]) for r in list(csv.reader(f))[1:]]
    return [a for a, b in zip(times, times[1:]) if a == b]


def simulated(fmu, *options, output="r.csv"):
    rc, out, err = call("simulate", fmu, "-o", output, *options)
    check("%s runs %s" % (fmu, options), rc == 0, err[-1000:])
    return Result(output) if rc == 0 else None


def value(result, name, time):
    """The right limit at an output point."""
    at = max(i for i, t in enumerate(result.times) if t <= time + 1e-9)
    return result.rows[at][result.column[name]]


def differing(result, model):
    """Variables whose right limits at output points differ. In co-simulation of FMI 2, events
    between two points are seen at the second one."""
    points = [model.times[0] + k * (model.times[-1] - model.times[0]) / 50 for k in range(51)]
    found = []
    for name, column in model.column.items():
        if name not in result.column:
            found.append(name)
            continue
        size = max(abs(r[column]) for r in model.rows)
        pairs = [(value(result, name, t), value(model, name, t)) for t in points]
        if any(not abs(a - b) <= 1e-3 * (size + 1e-6) for a, b in pairs):
            found.append(name)
    return found


def test_own():
    """FMUs of examples, in both versions and kinds."""
    tried = 0
    for path, name in list(examples())[:: 40 if program.SANITIZED else 12]:
        options = ["--intervals", "50", "--tolerance", "1e-8"]
        rc, out, err = call("simulate", path, "-o", "m.csv", "--hide-protected", *options)
        if rc:
            continue
        for version, kind in ((2, "me"), (3, "me"), (2, "cs"), (3, "cs")):
            if kind == "me" and path.endswith("ZeroReached.mo"):
                continue  # its indicator does not cross zero
            rc, out, err = call("fmu", path, "--fmi", str(version), "--kind", kind, "-o", "m.fmu")
            if rc:
                continue
            tried += 1
            result = simulated("m.fmu", "--kind", kind, *options)
            what = "%s, FMI %d, %s" % (name, version, kind)
            wrong = differing(result, Result("m.csv")) if result else True
            check(what, not wrong, wrong)
    check("examples were tried", tried >= (2 if program.SANITIZED else 12), tried)


def test_bouncing():
    """Impacts are where the closed form has them: one event at each, with two rows."""
    call("fmu", example("BouncingBall.mo"), "--kind", "me", "-o", "ball.fmu")
    simulated("ball.fmu", "--tolerance", "1e-9")
    fall = math.sqrt(2 / 9.81)
    for k in range(4):
        time = fall * (1 + 2 * sum(0.7 ** (i + 1) for i in range(k)))
        found = [t for t in event_times("r.csv") if abs(t - time) < 1e-6]
        check("impact at %g" % time, found, event_times("r.csv"))


def test_first():
    """FMI 1.0: state and time events, parameters, start values, inputs."""
    for kind in ("me", "cs"):
        fmu = first_fmu(kind)
        result = simulated(fmu, "--intervals", "160", "--tolerance", "1e-9")
        if not result:
            continue
        x = value(result, "x", 0.6)
        close = 1e-7 if kind == "me" else 1e-12
        check("x, %s" % kind, abs(x - math.exp(-0.6)) < close, x)
        check("twice, %s" % kind, abs(value(result, "twice", 0.3) - 2 * math.exp(-0.3)) < close)
        counts = [value(result, "counter", t) for t in (0.49, 0.5, 1.2)]
        check("counter, %s" % kind, counts == [0, 1, 2], counts)
        check("late, %s" % kind, [value(result, "late", t) for t in (0.9, 1.1)] == [0, 1])
        times = event_times("r.csv")
        for t in (0.5, 1.0, 1.5):
            check("event at %g, %s" % (t, kind), any(abs(a - t) < 1e-9 for a in times), times)
        if kind == "me":
            check("state event", any(abs(a - math.log(2)) < 1e-6 for a in times), times)
            after = value(result, "x", 0.8)
            check("x after it", abs(after - math.exp(math.log(2) - 0.8)) < 1e-6, after)
        changed = ["--set", "rate.k=0.1", "--set", "x.start=2", "--input", "u=0.3"]
        result = simulated(fmu, "--intervals", "160", "--tolerance", "1e-9", *changed)
        expected = 3 - math.exp(-0.1 * 1.6)
        x = value(result, "x", 1.6)
        check("settings, %s" % kind, abs(x - expected) < 1e-6, (x, expected))
        rc, out, err = call("simulate", fmu, "--kind", "me" if kind == "cs" else "cs")
        check("the other kind is refused", rc == 1 and "U051" in err, err)


PARTITIONS = """<fmiModelDescription fmiVersion="3.0" modelName="P" instantiationToken="{4}">
  <ScheduledExecution modelIdentifier="first"/>
  <DefaultExperiment startTime="0" stopTime="1"/>
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
    <Clock name="every" valueReference="1" causality="input" intervalVariability="constant"
      resolution="100" intervalCounter="10" shiftCounter="4"/>
    <Clock name="later" valueReference="2" causality="input" intervalVariability="countdown"/>
    <Clock name="third" valueReference="3" causality="output" intervalVariability="triggered"/>
    <Clock name="go" valueReference="4" causality="input" intervalVariability="triggered"/>
    <Int32 name="n" valueReference="5" causality="output"/>
    <Int32 name="m" valueReference="6" causality="output"/>
    <Int32 name="sum" valueReference="7" causality="output"/>
    <Int32 name="u" valueReference="8" causality="input" start="0"/>
  </ModelVariables>
  <ModelStructure><Output valueReference="3"/><Output valueReference="5"/>
    <Output valueReference="6"/><Output valueReference="7"/></ModelStructure>
</fmiModelDescription>
"""


def test_partitions():
    """Scheduled execution: ticks at 0.04 + 0.1 k; a countdown of 0.05 after each third tick."""
    binary = compiled(os.path.join(TOP, "tests/fmi/foreign/partitions.c"))
    files = {"modelDescription.xml": PARTITIONS, BINARY.replace("linux64", "x86_64-linux"): binary}
    if platform.machine() != "x86_64":
        files = {"modelDescription.xml": PARTITIONS, "binaries/aarch64-linux/first.so": binary}
    pack("p.fmu", files)
    inputs = ["--input", "go=time > 0.3 and time < 0.5 or time > 0.7", "--input", "u=7"]
    result = simulated("p.fmu", "--intervals", "100", *inputs)
    for name, expected in (
        ("n", {0: 0, 0.05: 1, 0.13: 1, 0.14: 2, 0.24: 3, 1: 10}),
        ("m", {0.28: 0, 0.29: 1, 0.58: 1, 0.59: 2, 1: 3}),
        ("third", {0.23: 0, 0.24: 1, 0.54: 2, 1: 3}),
        ("sum", {0.29: 0, 0.31: 7, 0.69: 7, 0.71: 14, 1: 14}),
    ):
        found = {t: value(result, name, t) for t in expected}
        check(name, found == expected, found)


SIZES = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="Sizes" instantiationToken="s">
 <ModelExchange modelIdentifier="first"/>
 <ModelVariables>
  <Float64 name="time" valueReference="0" causality="independent"/>
  <UInt64 name="n" valueReference="1" causality="structuralParameter" variability="fixed"
    start="2" min="1" max="4"/>
  <Float64 name="A" valueReference="2" causality="parameter" variability="fixed"
    start="-1 0 0 -2"><Dimension valueReference="1"/><Dimension valueReference="1"/></Float64>
  <Float64 name="w" valueReference="3" causality="parameter" variability="fixed" start="3">
    <Dimension valueReference="1"/></Float64>
  <Float64 name="x" valueReference="4" causality="local" initial="exact" start="1">
    <Dimension valueReference="1"/></Float64>
  <Float64 name="der(x)" valueReference="5" causality="local" derivative="4">
    <Dimension valueReference="1"/></Float64>
  <Float64 name="y" valueReference="6" causality="output"/>
 </ModelVariables>
 <ModelStructure>
  <Output valueReference="6"/>
  <ContinuousStateDerivative valueReference="5"/>
  <InitialUnknown valueReference="5"/><InitialUnknown valueReference="6"/>
 </ModelStructure>
</fmiModelDescription>
"""


def test_structural_parameters():
    """Arrays get other sizes. Old elements keep their start values, new ones of A are zero: x[3]
    rests. One start value is that of all elements: all x start at 1, all w are 3."""
    binary = compiled(os.path.join(TOP, "tests/fmi/foreign/sizes.c"))
    folder = {"x86_64": "x86_64-linux"}.get(platform.machine(), "aarch64-linux")
    pack("s.fmu", {"modelDescription.xml": SIZES, "binaries/%s/first.so" % folder: binary})
    ends = [math.exp(-1), math.exp(-2), 1, 1]
    for n in (1, 2, 3, 4):
        result = simulated("s.fmu", "--set", "n=%d" % n, "--tolerance", "1e-9")
        found = [value(result, "x[%d]" % (k + 1), 1) for k in range(n)]
        close = all(abs(a - b) < 1e-7 for a, b in zip(found, ends))
        check("%d states" % n, close and "x[%d]" % (n + 1) not in result.column, found)
        check("y for n = %d" % n, value(result, "y", 1) == 3 * n, value(result, "y", 1))
    for bad in ("0", "5", "-1", "1.5", "two"):
        rc, _, err = call("simulate", "s.fmu", "--set", "n=" + bad, "-o", "s.csv")
        check("n = %s" % bad, rc == 1 and "structural parameter 'n' cannot be" in err, err)
    rc, _, err = call("simulate", "s.fmu", "--sweep", "n=2,3", "-o", "s.csv")
    check("no sweep over sizes", rc and "n is a structural parameter" in err, err)
    rc, _, err = call("fmu", "import", "s.fmu", "--set", "n=3", "-o", "S.mo", "--model", "S")
    check("imported", rc == 0, err)
    write("T.mo", "model T S a; S b('w[1]' = 1, 'w[3]' = 2); Real z = 10 * a.y + b.y; end T;")
    rc, _, err = call("simulate", "S.mo", "T.mo", "--model", "T", "-o", "t.csv")
    check("a component", rc == 0 and value(Result("t.csv"), "z", 1) == 96, err)


def test_options():
    """Sweeps, plots, chosen variables, the event log."""
    fmu = first_fmu("me")
    rc, out, err = call("simulate", fmu, "--sweep", "rate.k=0.1,0.2", "-o", "s.csv")
    check("a sweep", rc == 0 and os.path.exists("s_2.csv"), err)
    with open("s_sweep.csv", newline="") as f:
        rows = list(csv.DictReader(f))
    for row in rows:
        expected = math.exp(-1.6 * float(row["rate.k"]))
        check("x of the sweep", abs(float(row["x"]) - expected) < 1e-4, row)
    rc, out, err = call("simulate", fmu, "--plot", "p.svg", "--events", "e.jsonl", "-o", "r.mat")
    check("plot and log", rc == 0 and os.path.getsize("p.svg") and os.path.getsize("e.jsonl"), err)
    names = Result("s_1.csv").column
    check("no helper variables", not [n for n in names if n.startswith("fmu.")], names)


def test_ends_at_once():
    """The FMU ends the simulation right where a communication step begins, at 0.5."""
    program.write(
        "Ends.mo",
        "model Ends Real x(start = 0, fixed = true); equation der(x) = 1; "
        'when x > 0.5 then terminate("enough"); end when; end Ends;',
    )
    for version in ("2", "3"):
        call("fmu", "Ends.mo", "--fmi", version, "-o", "e.fmu")
        for intervals in ("2", "7", "10"):
            result = simulated("e.fmu", "--kind", "cs", "--intervals", intervals)
            check("FMI " + version, result and abs(result.times[-1] - 0.5) < 1e-9, result.times)


def test_many_steps():
    """A run of co-simulation that would take days is refused."""
    fmu = first_fmu("cs")
    options = ("--kind", "cs", "--set", "communicationStep=1e-9")
    rc, _, err = call("simulate", fmu, *options, "--stop-time", "1e5")
    check("refused", rc == 3 and "1e+14 steps" in err and "communicationStep" in err, err)


def test_states_are_not_saved():
    """An FMU keeps its own state: a saved state would be wrong."""
    call("fmu", example("BouncingBall.mo"), "--kind", "cs", "-o", "B.fmu")
    rc, _, err = call("simulate", "B.fmu", "--save-state", "s.state@0.1", "-o", "b.csv")
    check("refused", rc != 0 and "U019" in err and "FMUs" in err, (rc, err))


# Bytes that this encoding does not have.
ENCODING = b"""<?xml version="1.0" encoding="EUC-JP"?>
<fmiModelDescription fmiVersion="2.0" modelName="a" guid="\xff\xfe\x8f\xff"/>"""


def test_bad_archives():
    with zipfile.ZipFile("link.fmu", "w") as z:
        link = zipfile.ZipInfo("modelDescription.xml")
        link.create_system, link.external_attr = 3, 0o120777 << 16
        z.writestr(link, "/etc/passwd")
    entity = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>' + FIRST % ""
    deep = "<fmiModelDescription>" + "<a>" * 200 + "</a>" * 200 + "</fmiModelDescription>"
    good = FIRST % ""
    cases = [
        ("encoding.fmu", {"modelDescription.xml": ENCODING}, "U050"),
        ("wide.fmu", {"modelDescription.xml": b"<" + 8 * b"\0"}, "U050"),
        ("text.fmu", None, "U011"),
        ("link.fmu", None, "U011"),
        ("empty.fmu", {"readme.txt": "x"}, "no modelDescription.xml"),
        ("climb.fmu", {"../x.txt": "x", "modelDescription.xml": good}, "U011"),
        ("root.fmu", {"/tmp/x.txt": "x", "modelDescription.xml": good}, "U011"),
        ("entity.fmu", {"modelDescription.xml": entity}, "DOCTYPE"),
        ("deep.fmu", {"modelDescription.xml": deep}, "nested"),
        ("broken.fmu", {"modelDescription.xml": good[:300]}, "U050"),
        ("other.fmu", {"modelDescription.xml": "<a/>"}, "fmiModelDescription"),
        ("four.fmu", {"modelDescription.xml": good.replace('"1.0" m', '"4.0" m')}, "reads 1.0"),
        ("number.fmu", {"modelDescription.xml": good.replace('"5"', '"five"')}, "valueReference"),
        ("none.fmu", {"modelDescription.xml": good}, "no binary for this machine"),
        ("bytes.fmu", {"modelDescription.xml": good, BINARY: "x"}, "cannot be loaded"),
    ]
    write("text.fmu", "this is no archive")
    for path, files, expected in cases:
        if files:
            pack(path, files)
        rc, out, err = call("simulate", path)
        check("%s is refused" % path, rc in (1, 2, 3) and expected in err, err)
        check("only messages of Kairos", "I/O error" not in err and "xmlParse" not in err, err)
    rc, out, err = call("simulate", "missing.fmu")
    check("a missing file", rc in (1, 2) and "U001" in err, err)
    check("no file outside", not os.path.exists("../x.txt"))


def test_bomb():
    """A small archive with much in it."""
    pack("bomb.fmu", {"modelDescription.xml": FIRST % "", "resources/zeros": bytes(300 << 20)})
    rc, out, err = call("simulate", "bomb.fmu")
    check("a bomb is refused", rc == 1 and "U011" in err, err)


def test_nothing_stays():
    """The unpacked files go with the run, also after an error."""
    os.mkdir("temporary")
    env = dict(os.environ, TMPDIR=os.path.abspath("temporary"))
    call("simulate", first_fmu("me"), env=env)
    pack("none.fmu", {"modelDescription.xml": FIRST % ""})
    call("simulate", "none.fmu", env=env)
    check("nothing stays", not os.listdir("temporary"), os.listdir("temporary"))


LINE = """model Line
  Real T[9](each start = 1, each fixed = true);
equation
  der(T[1]) = T[2] - T[1];
  for i in 2:8 loop
    der(T[i]) = 100*(T[i - 1] - 2*T[i] + T[i + 1]) - T[i]^3;
  end for;
  der(T[9]) = T[8] - T[9];
end Line;
"""


def test_sparse():
    """The Jacobian has the entries that the model structure names: three in a row, two at the
    ends."""
    write("Line.mo", LINE)
    client.export("Line.mo", 2, "me")
    for model in ("Line.mo", "m.fmu"):
        rc, out, err = call("simulate", model, "--log", "stats", "-o", model + ".csv")
        check(model, rc == 0 and "9 states, 25 entries" in out + err, out + err)
    a, b = Result("Line.mo.csv"), Result("m.fmu.csv")
    check("both agree", abs(a.rows[-1][1] - b.rows[-1][1]) < 1e-6, (a.rows[-1], b.rows[-1]))


program.run_tests()
