"""`kairos fmu check` finds the faults of FMUs: in descriptions, and in binaries that leak, crash,
hang or answer wrongly. FMUs without faults pass. `kairos simulate` survives a crash."""
import glob, os, platform, re, signal, subprocess, sys, time, zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import client, program
from program import TOP, call, check, example, write

PLATFORM = "linux64" if platform.machine() == "x86_64" else "linux-aarch64"
TEXT = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="Decay" guid="{2}" numberOfEventIndicators="0">
  <ModelExchange modelIdentifier="decay" canGetAndSetFMUstate="true"
    providesDirectionalDerivative="true"/>
  <CoSimulation modelIdentifier="decay" canGetAndSetFMUstate="true"
    canHandleVariableCommunicationStepSize="true"/>
  <UnitDefinitions>
    <Unit name="m"><BaseUnit m="1"/></Unit>
    <Unit name="m/s"><BaseUnit m="1" s="-1"/></Unit>
  </UnitDefinitions>
  <DefaultExperiment startTime="0" stopTime="1" stepSize="0.01"/>
  <ModelVariables>
    <ScalarVariable name="time" valueReference="0" causality="independent"
      variability="continuous"><Real/></ScalarVariable>
    <ScalarVariable name="x" valueReference="1" causality="output" initial="exact">
      <Real start="1" unit="m"/></ScalarVariable>
    <ScalarVariable name="der(x)" valueReference="2"><Real derivative="2" unit="m/s"/>
      </ScalarVariable>
    <ScalarVariable name="k" valueReference="3" causality="parameter" variability="fixed">
      <Real start="1"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="2" dependencies=""/></Outputs>
    <Derivatives><Unknown index="3" dependencies="2"/></Derivatives>
    <InitialUnknowns><Unknown index="3" dependencies="2"/></InitialUnknowns>
  </ModelStructure>
</fmiModelDescription>
"""
ALIAS = """<ScalarVariable name="a" valueReference="3" causality="parameter" variability="fixed">
  <Real start="5"/></ScalarVariable>"""
# fault, text that is replaced, its replacement, a part of the message
DESCRIPTIONS = [
    ("undefined unit", 'unit="m/s"/>', 'unit="km"/>', "'km'"),
    ("wrong unit", 'derivative="2" unit="m/s"', 'derivative="2" unit="m"', "over seconds"),
    ("unit twice", 'name="m/s"><', 'name="m"><', "defined twice"),
    ("no display unit", 'start="1" unit="m"', 'start="1" unit="m" displayUnit="mm"', "'mm'"),
    ("initial unknown", '<InitialUnknowns><Unknown index="3" dependencies="2"/></InitialUnknowns>',
     "", "missing among the initial unknowns"),
    ("too many", "<InitialUnknowns>", '<InitialUnknowns><Unknown index="2"/>',
     "'x' does not belong to the initial unknowns"),
    ("no output", '<Unknown index="2" dependencies=""/>', "", "missing among the outputs"),
    ("no start", '<Real start="1"/></Sc', "<Real/></Sc", "needs a start value"),
    ("start", '<Real derivative="2"', '<Real start="2" derivative="2"', "must not have a start"),
    ("same name", 'name="k"', 'name="x"', "two variables have the name"),
    ("combination", 'variability="fixed"', 'variability="continuous"', "does not go with"),
    ("initial", 'causality="parameter"', 'causality="parameter" initial="calculated"',
     "initial calculated does not go with"),
    ("kinds", 'index="3" dependencies="2"/></D',
     'index="3" dependencies="2" dependenciesKind="constant fixed"/></D', "have 2 kinds"),
    ("no derivative", 'derivative="2" ', "", "names no variable"),
    ("bounds", 'start="1" unit="m"', 'start="1" max="0" unit="m"', "outside its bounds"),
    ("identifier", 'modelIdentifier="decay" canGetAndSetFMUstate="true"\n    providesD',
     'modelIdentifier="de-cay" canGetAndSetFMUstate="true"\n    providesD', "not a name of C"),
    ("type", '<Real start="1"/></Sc', '<Real start="1" declaredType="T"/></Sc', "'T'"),
    ("date", 'modelName="Decay"', 'modelName="Decay" generationDateAndTime="today"', "a date"),
    ("version", 'fmiVersion="2.0"', 'fmiVersion="2.7"', "2.7"),
    ("display factor", '<BaseUnit m="1"/>', '<BaseUnit m="1"/><DisplayUnit name="z" factor="0"/>',
     "is zero"),
    ("exponent", '<BaseUnit m="1"/>', '<BaseUnit m="1e400"/>', "m = \"1e400\""),
    ("display twice", '<BaseUnit m="1"/>',
     '<BaseUnit m="1"/><DisplayUnit name="z"/><DisplayUnit name="z"/>', "'z' of 'm'"),
    ("reinit", '<Real derivative="2"', '<Real reinit="true" derivative="2"', "has reinit"),
    ("multiple set", 'name="k"', 'name="k" canHandleMultipleSetPerTimeInstant="false"',
     "not an input"),
    ("start text", '<Real start="1"/></Sc', '<Real start="one"/></Sc', "not a number"),
    ("tolerance", 'stepSize="0.01"', 'tolerance="-1"', "not positive"),
    ("step", 'stepSize="0.01"', 'stepSize="0"', "not positive"),
    ("attribute", 'name="k"', 'name="k" colour="red"', "attribute 'colour'"),
    ("element", "<ModelVariables>", "<Other/><ModelVariables>", "cannot contain <Other>"),
    ("order", "<DefaultExperiment", "<LogCategories/><UnitDefinitions/><DefaultExperiment",
     "<UnitDefinitions> must stand before <LogCategories>"),
    ("alias", '<ScalarVariable name="k"', ALIAS + '<ScalarVariable name="k"',
     "both have a start value"),
    ("kind", 'index="3" dependencies="2"/></D',
     'index="3" dependencies="2" dependenciesKind="other"/></D', "is not one of dependent"),
    ("source", 'StepSize="true"/>',
     'StepSize="true"><SourceFiles><File name="no.c"/></SourceFiles></CoSimulation>',
     "'sources/no.c' is missing"),
    ("no sources", 'StepSize="true"/>', 'StepSize="true"><SourceFiles/></CoSimulation>',
     "<SourceFiles> must contain <File>"),
    ("two experiments", "<DefaultExperiment", "<DefaultExperiment/><DefaultExperiment",
     "only one <DefaultExperiment>"),
    ("two types", '<Real start="1"/></Sc', '<Real start="1"/><Integer start="1"/></Sc',
     "only one <Real|Integer|Boolean|String|Enumeration>"),
    ("two interfaces", "<CoSimulation", '<CoSimulation modelIdentifier="decay"/><CoSimulation',
     "only one <ModelExchange|CoSimulation>"),
    ("structured", 'fmiVersion="2.0"', 'variableNamingConvention="structured" fmiVersion="2.0"',
     None),
]
# macro of the binary, parts of the message
BINARIES = [
    ("LEAK", "leaks"),
    ("CRASH", "fmi2DoStep crashes"),
    ("ENDLESS", "fmi2DoStep does not return"),
    ("RESET", "after a reset"),
    ("STATE", "restored state"),
    ("DERIVATIVE", "differences"),
    ("WRITE", "writes files"),
    ("FAIL", "fmi2DoStep failed"),
]

# a sanitizer must not take the signals of crashes
CRASHING = dict(os.environ, ASAN_OPTIONS="handle_segv=0:handle_sigbus=0:handle_abort=0")


def binary(fault=None):
    source = os.path.join(TOP, "tests/fmi/foreign/faulty.c")
    options = ["-D" + fault] if fault else []
    command = ["cc", "-shared", "-fPIC", "-w", "-O0", "-o", "b.so", source, "-lm", *options]
    subprocess.run(command, check=True, timeout=60)
    with open("b.so", "rb") as f:
        return f.read()


def pack(text, code):
    with zipfile.ZipFile("m.fmu", "w") as z:
        z.writestr("modelDescription.xml", text)
        z.writestr("binaries/%s/decay.so" % PLATFORM, code)
    return "m.fmu"


def test_good():
    rc, out, err = call("fmu", "check", pack(TEXT, binary()))
    check("an FMU without faults", rc == 0 and "no faults" in out and not err, out + err)
    for model, version in (("VanDerPol", "2"), ("VanDerPol", "3"), ("BouncingBall", "3")):
        options = ["--kind", "both", "--fmi", version, "-o", "own.fmu"]
        call("fmu", example(model + ".mo"), *options)
        rc, out, err = call("fmu", "check", "own.fmu")
        check("%s of Kairos, FMI %s" % (model, version), rc == 0 and not err, out + err)


def test_descriptions():
    code = binary()
    for name, old, new, message in DESCRIPTIONS:
        check("%s: the text has %s" % (name, old), old in TEXT)
        rc, out, err = call("fmu", "check", pack(TEXT.replace(old, new, 1), code))
        if message is None:
            check(name, rc == 0 and not err, err)
        else:
            check(name, rc == 1 and "U052" in err and message in err, err)


MODES = """package P type Mode = enumeration(off, slow); end P;
model Modes parameter P.Mode m = P.Mode.slow; parameter Integer n = 3; discrete Real d;
  Real x[3](each start = 1, each fixed = true); Boolean b = x[1] < 0.5;
equation der(x) = -x; when sample(0, 1) then d = x[1]; end when; end Modes;"""
# The same for an FMU of FMI 3, with regular expressions.
THIRD = [
    ("size", 'start="1 1 1"', 'start="1 1"', "2 start values for 3 elements"),
    ("no item", '(name="m".*?start=)"2"', r'\1"9"', "not an item"),
    ("same item", 'name="slow" value="2"', 'name="slow" value="1"', "have the value 1"),
    ("item range", 'name="slow" value="2"', 'name="slow" value="1e400"', "out of range"),
    ("item twice", '<Item name="slow"', '<Item name="off"', "have the name 'off'"),
    ("range", '(name="n".*?start=)"3"', r'\1"99999999999"', "range of Int32"),
    ("previous", '<Float64 name="d"', '<Float64 previous="4711" name="d"', "(4711)"),
    ("clock", '<Float64 name="d"', '<Float64 clocks="4711" name="d"', "a clock (4711)"),
    ("indicator", '<EventIndicator valueReference="[0-9]+"', '<EventIndicator valueReference="0"',
     "not a continuous variable"),
    ("flag", '<Float64 name="d"', '<Float64 intermediateUpdate="maybe" name="d"', "true or false"),
    ("reference", 'valueReference="2"', 'valueReference="1"', "value reference 1"),
    ("independent", '<Float64 name="time"[^>]*/>', "", "no independent variable"),
    ("interface", r"(<ModelExchange[^>]*/>)", r"\1\1", "only one <ModelExchange>"),
    ("no categories", "<LogCategories>.*</LogCategories>", "<LogCategories/>",
     "must contain <Category>"),
    ("unlike sizes", r'(<Float64 name="der\(x\)".*?<Dimension start=)"3"', r'\1"2"',
     "have different sizes"),
]


def test_third():
    write("Modes.mo", MODES)
    call("fmu", "Modes.mo", "--fmi", "3", "--kind", "me", "-o", "modes.fmu")
    with zipfile.ZipFile("modes.fmu") as z:
        files = {n: z.read(n) for n in z.namelist()}
    text = files["modelDescription.xml"].decode()
    for name, old, new, message in THIRD:
        changed = re.sub(old, new, text, count=1, flags=re.DOTALL)
        check("%s: the text has %s" % (name, old), changed != text)
        with zipfile.ZipFile("m.fmu", "w") as z:
            for n, data in files.items():
                z.writestr(n, changed if n == "modelDescription.xml" else data)
        rc, out, err = call("fmu", "check", "m.fmu")
        codes = "U052" in err or "U050" in err
        check(name, rc == 1 and codes and message in err, err)


def test_lines():
    """A fault is reported with its line."""
    rc, out, err = call("fmu", "check", pack(TEXT.replace('name="k"', 'name="x"'), binary()))
    line = TEXT[: TEXT.index('name="k"')].count("\n") + 1
    check("line %d" % line, "modelDescription.xml:%d:" % line in err, err)


def test_backslash():
    pack(TEXT, binary())
    with zipfile.ZipFile("m.fmu", "a") as z:
        z.writestr("resources\\a.txt", "text")
    rc, out, err = call("fmu", "check", "m.fmu")
    check("a backslash", rc == 1 and "resources\\a.txt" in err, err)


def test_binaries():
    for fault, message in BINARIES:
        if program.SANITIZED and fault == "LEAK":
            continue  # the sanitizer has an allocator of its own
        limit = ["--limit-time", "3"] if fault == "ENDLESS" else []
        rc, out, err = call("fmu", "check", pack(TEXT, binary(fault)), *limit, env=CRASHING)
        check(fault, message in err and (rc == 1 or fault == "WRITE"), (rc, err))
    check("no file of the FMU", not os.path.exists("trace.log"))


def test_crash():
    """The program names the FMU and its function, and removes the unpacked files."""
    os.mkdir("temporary")
    env = dict(CRASHING, TMPDIR=os.path.abspath("temporary"))
    fmu = pack(TEXT, binary("CRASH"))
    rc, out, err = call("simulate", fmu, "--kind", "cs", env=env)
    check("a crash", rc == 3 and "m.fmu crashed in fmi2DoStep" in err, (rc, err))
    check("nothing stays", not os.listdir("temporary"), os.listdir("temporary"))
    rc, out, err = call("simulate", fmu, "--kind", "me", env=env)
    check("model exchange works", rc == 0, err)


def started(fmu, place):
    """A run of the FMU that is in a call of it."""
    os.makedirs(place)
    command = [program.KAIROS, "simulate", fmu, "--kind", "cs", "-o", "r.csv"]
    env = dict(os.environ, TMPDIR=os.path.abspath(place))
    run = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, start_new_session=True)
    end = time.monotonic() + 60
    called = b""
    while not called.startswith(b"fmi2DoStep\0") and run.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
        for note in glob.glob(place + "/**/call", recursive=True):
            with open(note, "rb") as f:
                called = f.read()
    check("the step is called", called.startswith(b"fmi2DoStep"), called[:40])
    return run


def test_interruption():
    """In a call that does not return, the first signal says that a second one ends the run."""
    fmu = pack(TEXT, binary("ENDLESS"))
    for number, all_of_it in ((signal.SIGTERM, False), (signal.SIGINT, True)):
        place = "in_call_%d" % number
        run = started(fmu, place)
        # the terminal sends Ctrl-C to all processes of the run
        send = (lambda n: os.killpg(run.pid, n)) if all_of_it else run.send_signal
        try:
            send(number)
            begin = time.monotonic()
            line = run.stderr.readline()
            took = time.monotonic() - begin
            check("the first says how to end it", b"interrupt it again" in line, line)
            check("within a second or so", took < 3, took)
            check("the run goes on", run.poll() is None, run.returncode)
            send(number)
            err = run.communicate(timeout=30)[1]
            check("the second ends it", run.returncode == 130, (run.returncode, err))
            check("no crash", b"fmi2DoStep of" in err and b"crashed" not in err, err)
            check("nothing stays", not os.listdir(place) and not os.path.exists("r.csv"))
        finally:
            if run.poll() is None:
                os.killpg(run.pid, signal.SIGKILL)
                run.wait()


def test_one_folder():
    """A run unpacks the FMU once, for its class and for its binary."""
    os.mkdir("unpacked")
    fmu = pack(TEXT, binary("ENDLESS"))
    command = [program.KAIROS, "simulate", fmu, "--kind", "cs"]
    env = dict(os.environ, TMPDIR=os.path.abspath("unpacked"))
    run = subprocess.Popen(command, env=env, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        called = []
        end = time.monotonic() + 60
        while not called and run.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
            called = glob.glob("unpacked/**/call", recursive=True)
        check("the FMU is called", called)
        found = glob.glob("unpacked/**/modelDescription.xml", recursive=True)
        check("one folder", len(found) == 1, found)
    finally:
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()


def test_import():
    """A class for an FMU, in a model with two of them."""
    pack(TEXT, binary())
    for kind in ("me", "cs"):
        rc, out, err = call("fmu", "import", "m.fmu", "--kind", kind, "-o", "Decay.mo")
        check("import", rc == 0, err)
        write("Two.mo", "model Two\n  decay a(k = 2), b(x_start = 3);\n  Real sum = a.x + b.x;\n"
              "  annotation(experiment(StopTime = 1));\nend Two;\n")
        rc, out, err = call("simulate", "Decay.mo", "Two.mo", "--model", "Two", "-o", "r.csv",
                            "--tolerance", "1e-9")
        check("a model with FMUs, " + kind, rc == 0, err)
        result = client.Result("r.csv")
        last = result.rows[-1][result.column["sum"]]
        exact = 2.718281828459045 ** -2 + 3 * 2.718281828459045 ** -1
        check("its sum, " + kind, abs(last - exact) < 1e-6, (last, exact))
    rc, out, err = call("fmu", "import")
    check("a missing file", rc == 2, err)


program.run_tests()
