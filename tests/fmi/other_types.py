"""Through the functions of FMI themselves: Strings, clocks of FMI 3, and what events say about the
states."""
import ctypes, os, subprocess, sys, urllib.parse
from ctypes import POINTER, byref, c_bool, c_char_p, c_double, c_int, c_size_t, c_uint, c_void_p

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from client import exported
import program
from program import check, write

TEXTS = """model Texts
  parameter Integer k = 3;
  Real x(start = 0, fixed = true);
  output String level = if x > 0.35 then "high" else "low";
  String long = "k = " + String(k) + ", " + level;
equation
  der(x) = 1;
end Texts;
"""

CLOCKS = """model Clocks
  Clock c = Clock(0.1);
  Real x(start = 0), slow(start = 0), y(start = 1, fixed = true);
equation
  x = previous(x) + sample(y, c);
  slow = subSample(x, 3);
  der(y) = -y;
end Clocks;
"""

LOG2 = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_int, c_char_p, c_char_p)
LOG3 = ctypes.CFUNCTYPE(None, c_void_p, c_int, c_char_p, c_char_p)


class Callbacks(ctypes.Structure):
    _fields_ = [("logger", LOG2), ("allocate", c_void_p), ("free", c_void_p)]
    _fields_ += [("finished", c_void_p), ("environment", c_void_p)]


# The event at 0.25 changes nothing of the motion, the one at 0.5 its slope.
SLOPES = """model Slopes
  Real x(start = 0, fixed = true);
  Boolean seen(start = false, fixed = true);
equation
  der(x) = if time < 0.5 then 1 else -1;
  when time >= 0.25 then
    seen = true;
  end when;
end Slopes;
"""


class EventInfo(ctypes.Structure):
    _fields_ = [(n, c_int) for n in ("again", "terminate", "nominals", "states", "has_next")]
    _fields_ += [("next", c_double)]


class Loaded:
    """An instance in the state after its initialization."""

    def __init__(self, fmu, kind="cs"):
        self.fmu, self.kind = fmu, kind
        self.library = ctypes.CDLL(fmu.library(kind))
        self.references = {v.name: v.reference for v in fmu.variables}
        resources = os.path.join(fmu.folder, "resources") + "/"
        start = self.start2 if fmu.version == 2 else self.start3
        start(fmu.token.encode(), resources)

    def call(self, name, *arguments):
        function = self.library["fmi%d%s" % (self.fmu.version, name)]
        return function(self.instance, *arguments)

    def start2(self, token, resources):
        uri = ("file://" + urllib.parse.quote(resources)).encode()
        create = self.library.fmi2Instantiate
        create.restype = c_void_p
        self.callbacks = Callbacks(logger=LOG2(lambda *_: None))
        kind = c_int(1 if self.kind == "cs" else 0)
        made = create(b"i", kind, token, uri, byref(self.callbacks), c_int(0), c_int(0))
        self.instance = c_void_p(made)
        setup = [c_int(0), c_double(0), c_double(0), c_int(0), c_double(0)]
        good = self.call("SetupExperiment", *setup) == 0
        good = good and self.call("EnterInitializationMode") == 0
        check("an instance of FMI 2", made and good and self.call("ExitInitializationMode") == 0)

    def start3(self, token, resources):
        create = self.library.fmi3InstantiateCoSimulation
        create.restype = c_void_p
        self.logger = LOG3(lambda *_: None)
        flags = [c_bool(False), c_bool(False), c_bool(True), c_bool(True)]
        rest = [None, c_size_t(0), None, self.logger, None]
        made = create(b"i", token, resources.encode(), *flags, *rest)
        self.instance = c_void_p(made)
        times = [c_bool(False), c_double(0), c_double(0), c_bool(False), c_double(0)]
        good = self.call("EnterInitializationMode", *times) == 0
        check("an instance of FMI 3", made and good and self.call("ExitInitializationMode") == 0)

    def step(self, t, size):
        """To t + size, or to the first event of FMI 3. Returns the time, and whether it is one."""
        if self.fmu.version == 2:
            return t + size, self.call("DoStep", c_double(t), c_double(size), c_int(1)) != 0
        event, end, early, last = c_bool(), c_bool(), c_bool(), c_double()
        out = [byref(event), byref(end), byref(early), byref(last)]
        status = self.call("DoStep", c_double(t), c_double(size), c_bool(True), *out)
        check("a step", status == 0)
        return last.value, event.value

    def text(self, name):
        reference, text = c_uint(self.references[name]), c_char_p()
        more = [c_size_t(1)] if self.fmu.version == 3 else []
        status = self.call("GetString", byref(reference), c_size_t(1), byref(text), *more)
        check("the text of " + name, status == 0)
        return text.value.decode()

    def ticks(self, name):
        reference, value = c_uint(self.references[name]), c_bool()
        status = self.call("GetClock", byref(reference), c_size_t(1), byref(value))
        check("the clock " + name, status == 0)
        return value.value

    def free(self):
        self.call("FreeInstance")


def test_strings():
    write("Texts.mo", TEXTS)
    for version in (2, 3):
        fmu = exported("Texts.mo", version, "cs", name="m%d" % version)
        kinds = {v.name: (v.type, v.causality, v.variability) for v in fmu.variables}
        check("types", kinds["level"] == ("String", "output", "discrete"), kinds)
        f = Loaded(fmu)
        if version == 3:
            f.call("EnterStepMode")
        check("before", (f.text("level"), f.text("long")) == ("low", "k = 3, low"))
        t = 0
        while t < 0.5:
            t, event = f.step(t, 0.5 - t)
            if version == 3 and event:
                f.call("EnterEventMode")
                f.call("EnterStepMode")
        check("after", (f.text("level"), f.text("long")) == ("high", "k = 3, high"))
        reference = c_uint(f.references["level"])
        wrong = [byref(reference), c_size_t(1), byref(c_char_p(b"x"))]
        wrong += [c_size_t(1)] if version == 3 else []
        check("a String cannot be set", f.call("SetString", *wrong) == 3)
        f.free()


def test_clocks():
    """Ticks at multiples of 0.1 and 0.3, by hand."""
    write("Clocks.mo", CLOCKS)
    fmu = exported("Clocks.mo", 3, "cs")
    clocks = [v.name for v in fmu.variables if v.type == "Clock"]
    check("clocks", len(clocks) == 2 and "c" in clocks, clocks)
    f = Loaded(fmu)
    slow = next(n for n in clocks if n != "c")
    seen = [(0.0, f.ticks("c"), f.ticks(slow))]
    f.call("EnterStepMode")
    t = 0
    while t < 0.65 - 1e-9:
        t, event = f.step(t, 0.65 - t)
        if event:
            f.call("EnterEventMode")
            seen.append((round(t, 9), f.ticks("c"), f.ticks(slow)))
            f.call("EnterStepMode")
    wanted = [(round(0.1 * k, 9), True, k % 3 == 0) for k in range(7)]
    check("ticks", seen == wanted, seen)
    f.free()


def test_restart():
    """Importers start their solver anew only if the FMU says that the states have changed. It says
    so if the motion has a corner."""
    write("Slopes.mo", SLOPES)
    for source in ([], ["--source"]):
        fmu = exported("Slopes.mo", 2, "me", *source, name="m%d" % len(source))
        if source:
            files = [os.path.join(fmu.folder, f) for f in fmu.files if f.endswith(".c")]
            built = ["cc", "-std=c11", "-shared", "-fPIC", *files, "-lm", "-o", fmu.library("me")]
            check("the sources compile", subprocess.run(built).returncode == 0)
        f, info, seen = Loaded(fmu, "me"), EventInfo(), []
        f.call("NewDiscreteStates", byref(info))
        for _ in range(2):
            f.call("EnterContinuousTimeMode")
            f.call("SetTime", c_double(info.next))
            at = info.next
            x = c_double(at)
            f.call("SetContinuousStates", byref(x), c_size_t(1))
            f.call("EnterEventMode")
            f.call("NewDiscreteStates", byref(info))
            seen.append((at, info.states))
        check("restarts", seen == [(0.25, 0), (0.5, 1)], (source, seen))
        f.free()


program.run_tests()
