"""kairos fmu: the file, its description, refusals, and a run of its binary through ctypes."""
import ctypes, os, re, sys, zipfile
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import SANITIZED, call, check, example, write

PLANT = """package P
  type Mode = enumeration(off, on);
  model Plant
    parameter Integer n = 2;
    parameter Real k(unit = "N/m", displayUnit = "kN/m") = 2 "stiffness";
    parameter Real twice = 2*k;
    parameter Real Ts = 0.1;
    parameter Boolean fast = false;
    final parameter Real f = 3;
    constant Real c = 4;
    parameter Mode mode = Mode.on;
    input Real u(start = 1.5);
    input Boolean b;
    output Real y;
    output Integer count(start = 0, fixed = true);
    Real x[n](each start = 1, each fixed = true);
    Real free(start = 2);
    Real T(unit = "K", displayUnit = "degC") = 300;
  equation
    der(x) = -k*x;
    der(free) = u;
    if fast then
      y = 2*x[1] + u;
    else
      y = x[1] + u;
    end if;
    when sample(0, Ts) then
      count = pre(count) + (if b then 1 else 2);
    end when;
  end Plant;
end P;
"""


def export(source, *arguments, output="m.fmu"):
    rc, out, err = call("fmu", source, "-o", output, *arguments)
    check("exports %s %s" % (os.path.basename(source), " ".join(arguments)), rc == 0, err)
    return zipfile.ZipFile(output)


def describe(archive):
    return ElementTree.fromstring(archive.read("modelDescription.xml"))


def variables(root, version):
    rows = {}
    for v in root.find("ModelVariables"):
        attributes = dict(v.attrib)
        if version == 2:
            attributes.update(v[0].attrib, type=v[0].tag)
        else:
            attributes["type"] = v.tag
        rows[v.attrib["name"]] = attributes
    return rows


def test_files():
    for version, folder in ((2, "linux64"), (3, "x86_64-linux")):
        names = export(example("BouncingBall.mo"), "--fmi", str(version)).namelist()
        for name in (
            "modelDescription.xml",
            "resources/model.mo",
            "binaries/%s/BouncingBall.so" % folder,
            "documentation/licenses/license.txt",
        ):
            check("FMI %d has %s" % (version, name), name in names, names)
    with open("m.fmu", "rb") as a:
        first = a.read()
    export(example("BouncingBall.mo"), "--fmi", "3")
    with open("m.fmu", "rb") as b:
        check("the same model gives the same bytes", first == b.read())


def test_variables():
    path = write("P.mo", PLANT)
    expected = {
        "time": ("independent", "continuous", None),
        "n": ("local", "constant", "exact"),
        "k": ("parameter", "tunable", "exact"),
        "twice": ("calculatedParameter", "tunable", "calculated"),
        "Ts": ("parameter", "fixed", "exact"),
        "fast": ("local", "constant", "exact"),
        "f": ("local", "fixed", "calculated"),
        "c": ("local", "constant", "exact"),
        "mode": ("parameter", "tunable", "exact"),
        "u": ("input", "continuous", None),
        "b": ("input", "discrete", None),
        "y": ("output", "continuous", "calculated"),
        "count": ("output", "discrete", "calculated"),
        "free": ("local", "continuous", "approx"),
    }
    for version in (2, 3):
        root = describe(export(path, "--model", "P.Plant", "--fmi", str(version), "--kind", "both"))
        rows = variables(root, version)
        # FMI 3 has arrays
        names = ("x[1]", "der(x[2])") if version == 2 else ("x", "der(x)")
        states = zip(names, [("local", "continuous", x) for x in ("exact", "calculated")])
        for name, want in {**expected, **dict(states)}.items():
            row = rows.get(name, {})
            got = tuple(row.get(x) for x in ("causality", "variability", "initial"))
            check("FMI %d: %s is %s" % (version, name, want), got == want, got)
        check("start of u", float(rows["u"]["start"]) == 1.5)
        check("start of mode", rows["mode"]["start"] == "2")
        units = {u.get("name"): u for u in root.iter("Unit")}
        display = units["N/m"].find("DisplayUnit")
        check("factor of kN/m", float(display.get("factor")) == 0.001)
        check("offset of degC", float(units["K"].find("DisplayUnit").get("offset")) == -273.15)
        check("free is one of the initial unknowns", "free" in initial_unknowns(root, version))
        check("x is not", names[0] not in initial_unknowns(root, version))


def initial_unknowns(root, version):
    """The names of the variables that ModelStructure lists."""
    listed = list(root.find("ModelVariables"))
    structure = root.find("ModelStructure")
    if version == 2:
        unknowns = structure.find("InitialUnknowns")
        return [listed[int(u.get("index")) - 1].get("name") for u in unknowns]
    by_reference = {v.get("valueReference"): v.get("name") for v in listed}
    return [by_reference[u.get("valueReference")] for u in structure.findall("InitialUnknown")]


def test_refusals():
    rc, out, err = call("fmu", example("DiodeInductor.mo"), "-o", "m.fmu", "--kind", "me")
    check("no model exchange if the structure changes", rc == 1 and "U020" in err, err)
    check("the message recommends co-simulation", "--kind cs" in err, err)
    check("no file is left", not os.path.exists("m.fmu"))
    path = write("E.mo", 'model E\n  function f\n    input Real u;\n    output Real y;\n'
                 '    external "C" y = f(u);\n  end f;\n  Real y = f(time);\nend E;\n')
    rc, out, err = call("fmu", path, "-o", "m.fmu")
    check("no external functions", rc == 1 and "U020" in err and "f" in err, err)
    rc, out, err = call("fmu", example("BouncingBall.mo"), "-o", "no/such/m.fmu")
    check("a folder that does not exist", rc != 0 and "U020" in err, err)
    rc, out, err = call("fmu", example("BouncingBall.mo"), "--fmi", "1")
    check("a version that does not exist", rc == 2, err)
    for wrong in "2abc", "4294967298", "":
        rc, out, err = call("fmu", example("BouncingBall.mo"), "--fmi", wrong, "-o", "m.fmu")
        check("'%s' is no version" % wrong, rc == 2 and "--fmi needs" in err, err)
    path = write("Bad.mo", "model Bad\n  Real x;\nequation\n  x = y;\nend Bad;\n")
    rc, out, err = call("fmu", path, "-o", "m.fmu")
    check("errors show the model's own text", rc == 1 and re.search(r"Bad\.mo:4:", err), err)


class Callbacks(ctypes.Structure):
    LOGGER = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 2, ctypes.c_int, *[ctypes.c_char_p] * 3)
    _fields_ = [("logger", LOGGER)] + [(x, ctypes.c_void_p) for x in ("a", "f", "s", "environment")]


def load(archive):
    """The binary of an FMU of FMI 2, and the guid."""
    archive.extractall("unpacked")
    binary = [x for x in archive.namelist() if x.endswith(".so")][0]
    return ctypes.CDLL(os.path.join("unpacked", binary)), describe(archive).get("guid").encode()


def test_binary():
    if SANITIZED:  # Python has no sanitizer to load the binary with
        return
    path = write("P.mo", PLANT)
    archive = export(path, "--model", "P.Plant")
    fmu, guid = load(archive)
    rows = variables(describe(archive), 2)
    messages = []
    logger = Callbacks.LOGGER(lambda *a: messages.append(a[-1]))
    callbacks = Callbacks(logger)
    place = ("file://" + os.path.abspath("unpacked/resources")).encode()
    fmu.fmi2Instantiate.restype = ctypes.c_void_p
    make = lambda g: fmu.fmi2Instantiate(b"plant", 1, g, place, ctypes.byref(callbacks), 0, 1)
    check("a wrong guid is refused", make(b"{0}") is None and messages, messages)
    c = ctypes.c_void_p(make(guid))
    check("an instance", c.value, messages)
    early = fmu.fmi2DoStep(c, *[ctypes.c_double(0)] * 2, 1)
    check("a step before the start is an error", early == 3)
    fmu.fmi2SetupExperiment(c, 0, ctypes.c_double(0), ctypes.c_double(0), 1, ctypes.c_double(1))
    fmu.fmi2EnterInitializationMode(c)

    def set_real(name, value):
        reference = ctypes.c_uint(int(rows[name]["valueReference"]))
        return fmu.fmi2SetReal(c, ctypes.byref(reference), 1, ctypes.byref(ctypes.c_double(value)))

    def get_real(name):
        value, reference = ctypes.c_double(), ctypes.c_uint(int(rows[name]["valueReference"]))
        fmu.fmi2GetReal(c, ctypes.byref(reference), 1, ctypes.byref(value))
        return value.value

    check("a parameter is set", set_real("k", 3) == 0)
    check("a structural parameter is not", set_real("f", 3) == 3)
    check("NaN is not", set_real("u", float("nan")) == 3)
    check("a dependent parameter follows", get_real("twice") == 6, get_real("twice"))
    check("initialized", fmu.fmi2ExitInitializationMode(c) == 0, messages)
    for i in range(10):
        check("a step", fmu.fmi2DoStep(c, ctypes.c_double(0.1 * i), ctypes.c_double(0.1), 1) == 0)
    value = get_real("x[1]")
    check("exp(-3)", abs(value - 0.049787068367863944) < 1e-6, value)
    check("no step beyond the stop time",
          fmu.fmi2DoStep(c, ctypes.c_double(1), ctypes.c_double(0.1), 1) == 3)
    fmu.fmi2FreeInstance(c)


program.run_tests()
