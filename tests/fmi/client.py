"""What the tests of FMUs share: an exported FMU, unpacked, with the rules that its description must
obey, and the importer (importer.c). Written from the standards FMI 2.0.4 and 3.0.2."""
import bisect, collections, csv, glob, itertools, math, os, re, subprocess, sys, urllib.parse
import zipfile
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program

IMPORTER = os.path.join(os.path.dirname(program.KAIROS), "fmi_importer")
TYPES2 = ("Real", "Integer", "Boolean", "String", "Enumeration")
TYPES3 = ("Float64", "Float32", "Boolean", "String", "Binary", "Enumeration", "Clock") + tuple(
    u + "Int" + n for u in ("", "U") for n in ("8", "16", "32", "64")
)

# Possible values of `initial` by causality and variability; the first is the default. None: there
# is no such attribute. Tables of section 2.2.7 (FMI 2) and 2.4.7.4 (FMI 3).
EXACT, CALCULATED = ("exact",), ("calculated", "approx")
ANY = ("calculated", "exact", "approx")
INITIAL = {
    ("parameter", "fixed"): EXACT,
    ("parameter", "tunable"): EXACT,
    ("structuralParameter", "fixed"): EXACT,
    ("structuralParameter", "tunable"): EXACT,
    ("calculatedParameter", "fixed"): CALCULATED,
    ("calculatedParameter", "tunable"): CALCULATED,
    ("input", "discrete"): (None,),
    ("input", "continuous"): (None,),
    ("output", "constant"): EXACT,
    ("output", "discrete"): ANY,
    ("output", "continuous"): ANY,
    ("local", "constant"): EXACT,
    ("local", "fixed"): CALCULATED,
    ("local", "tunable"): CALCULATED,
    ("local", "discrete"): ANY,
    ("local", "continuous"): ANY,
    ("independent", "continuous"): (None,),
}

# The grammar of structured names.
UNQUOTED = r"[_A-Za-z][_A-Za-z0-9]*"
QUOTED = r"'(?:[_A-Za-z0-9!#$%&()*+,\-./:;<>=?@\[\]^{}|~ ]|\\['\"?\\abfnrtv])+'"
PART = r"(?:%s|%s)(?:\[[0-9]+(?:,[0-9]+)*\])?" % (UNQUOTED, QUOTED)
IDENTIFIER = r"%s(?:\.%s)*" % (PART, PART)
NAME = re.compile(r"%s|der\(%s(?:,[0-9]+)?\)" % (IDENTIFIER, IDENTIFIER))


TERMINALS = "terminalsAndIcons/terminalsAndIcons.xml"

# A model with an icon and a connector.
PINS = """package Pins
  connector Pin
    Real v;
    flow Real i;
    annotation(Icon(graphics = {Rectangle(extent = {{-100, -100}, {100, 100}})}));
  end Pin;
  model Source "A source"
    Pin p annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    Real x(start = 1, fixed = true);
  equation
    der(x) = -x;
    p.v = x;
    annotation(Icon(graphics = {Ellipse(extent = {{-100, -100}, {100, 100}}),
      Text(extent = {{-100, -150}, {100, -110}}, textString = "%name")}));
  end Source;
end Pins;
"""

INTERVALS = 50
TOLERANCE = 1e-8
AGREE = 1e-4  # of the largest value of a variable

# Examples with so many events that a part of their time is enough.
STOPS = {
    "examples/events/Ticks.mo": 10,
    "examples/hybrid/Buck.mo": 0.02,
}
# Examples that an importer with model exchange cannot run to their end, and how far it can.
# Relations have a hysteresis there, and nothing slides or rests.
ME_STOPS = {
    **STOPS,
    "examples/events/BouncingBallFlying.mo": 1.35,  # the last hops are lower than the hysteresis
    "examples/events/Chattering.mo": 0.49,  # slides
    "examples/hybrid/Chattering.mo": 0.4,
    "examples/VanDerPol.mo": 800,  # stiff; our integrator is explicit
}

DRIVEN = """model Driven
  type Mode = enumeration(slow, fast);
  input Real u(start = 0.5);
  input Integer n(start = 1);
  input Boolean on(start = true);
  parameter Real k = 1;
  parameter Integer factor = 2;
  parameter Mode mode = Mode.slow;
  parameter Real q = 2*k;
  output Real y = factor*x + w[2];
  output Integer count(start = 0, fixed = true);
  Real x(start = 0, fixed = true), w[2](start = {1, 2}, each fixed = true);
equation
  der(x) = (if on then u else 0) - k*x + (if mode == Mode.fast then 1 else 0);
  der(w) = {-w[1], n*u*w[1]};
  when x > 0.3 or change(n) then
    count = pre(count) + 1;
  end when;
  annotation(experiment(StopTime = 2));
end Driven;
"""

ROOT = """model Root
  Real x(start = 1, fixed = true), y = sqrt(x);
equation
  der(x) = -1;
end Root;
"""

INPUTS = """time,u,n,on
0,0.5,1,1
0.4,0.5,1,1
0.4,0.7,1,1
0.8,0.7,1,1
0.8,0.7,3,1
1.2,0.7,3,1
1.2,-0.2,3,0
2,-0.2,3,0
"""

CHANGES = ["at 0.4 u 0.7", "at 0.8 n 3", "at 1.2 u -0.2", "at 1.2 on 0"]


class Variable:
    def __init__(self, version, element, type_element, number):
        self.a = dict(element.attrib)
        self.number = number  # the index of FMI 2, from 1
        self.type = type_element.tag
        if version == 2:
            self.a.update(type_element.attrib)
        self.name, self.reference = element.get("name"), int(element.get("valueReference"))
        self.causality = element.get("causality", "local")
        real = version == 2 or self.type.startswith("Float")
        self.variability = element.get("variability", "continuous" if real else "discrete")
        if version == 3 and self.causality in (
            "parameter",
            "calculatedParameter",
            "structuralParameter",
        ):
            self.variability = element.get("variability", "fixed")
        self.possible = INITIAL.get((self.causality, self.variability))
        self.initial = element.get("initial", self.possible[0] if self.possible else None)
        start = element.find("Start")
        self.start = self.a.get("start", start.get("value") if start is not None else None)
        self.aliases = [x.get("name") for x in element.findall("Alias")]
        self.sizes = [x.get("start") for x in element.findall("Dimension")]

    def continuous(self):
        return self.type in ("Real", "Float64", "Float32") and self.variability == "continuous"

    def elements(self):
        """The names of its elements in the order of their values."""
        if not self.sizes:
            return [self.name]
        ranges = [range(1, int(n or 1) + 1) for n in self.sizes]
        der = re.fullmatch(r"der\((.*)\)", self.name)
        form = "der(%s[%%s])" % der[1] if der else "%s[%%s]" % self.name
        return [form % ",".join(map(str, i)) for i in itertools.product(*ranges)]


class Fmu:
    """Unpacks the FMU and reads its description."""

    def __init__(self, path, folder):
        self.folder = os.path.abspath(folder)
        with zipfile.ZipFile(path) as z:
            self.files = z.namelist()
            z.extractall(folder)
        self.root = ElementTree.parse(os.path.join(folder, "modelDescription.xml")).getroot()
        self.version = 2 if self.root.get("fmiVersion") == "2.0" else 3
        self.token = self.root.get("guid" if self.version == 2 else "instantiationToken")
        self.kinds = {
            k: self.root.find(tag).get("modelIdentifier")
            for k, tag in (("cs", "CoSimulation"), ("me", "ModelExchange"))
            if self.root.find(tag) is not None
        }
        self.variables = list(self.read_variables())
        self.by_reference = {v.reference: v for v in self.variables}
        e = self.root.find("DefaultExperiment")
        self.start = float(e.get("startTime", 0)) if e is not None else 0
        self.stop = float(e.get("stopTime", 1)) if e is not None else 1

    def read_variables(self):
        for i, x in enumerate(self.root.find("ModelVariables"), 1):
            kind = next(c for c in x if c.tag in TYPES2) if self.version == 2 else x
            yield Variable(self.version, x, kind, i)

    def flag(self, kind, name):
        tag = {"cs": "CoSimulation", "me": "ModelExchange"}[kind]
        return self.root.find(tag).get(name) in ("true", "1")

    def library(self, kind):
        folder = "linux64" if self.version == 2 else "x86_64-linux"
        return os.path.join(self.folder, "binaries", folder, self.kinds[kind] + ".so")

    def structure(self, list2, tag3):
        """The elements of a list of ModelStructure, with the variable of each."""
        m = self.root.find("ModelStructure")
        if self.version == 3:
            references = [(x, int(x.get("valueReference"))) for x in m.findall(tag3)]
            return [(x, self.by_reference.get(r)) for x, r in references]
        found = m.find(list2)
        elements = [] if found is None else found.findall("Unknown")
        return [(x, self.variables[int(x.get("index")) - 1]) for x in elements]

    def outputs(self):
        return self.structure("Outputs", "Output")

    def derivatives(self):
        return self.structure("Derivatives", "ContinuousStateDerivative")

    def unknowns(self):
        return self.structure("InitialUnknowns", "InitialUnknown")

    def state_of(self, derivative):
        of = int(derivative.a["derivative"])
        return self.variables[of - 1] if self.version == 2 else self.by_reference[of]

    def known(self, element):
        """The variables that an element of ModelStructure depends on, with kinds; None: all."""
        text = element.get("dependencies")
        if text is None:
            return None
        numbers = [int(x) for x in text.split()]
        kinds = (element.get("dependenciesKind") or " ".join(["dependent"] * len(numbers))).split()
        of = (lambda n: self.variables[n - 1]) if self.version == 2 else self.by_reference.get
        return [(of(n), k) for n, k in zip(numbers, kinds)]

    def indicators(self):
        """In FMI 3 they are variables."""
        return self.structure("EventIndicators", "EventIndicator") if self.version == 3 else []

    def n_indicators(self):
        if self.version == 2:
            return int(self.root.get("numberOfEventIndicators", 0))
        return len(self.indicators())

    # ---- rules ----

    def broken_rules(self):
        """Texts, one for each rule of the standard that the FMU breaks."""
        return [
            *self.bad_files(),
            *self.bad_names(),
            *(text for v in self.variables for text in self.bad_variable(v)),
            *self.bad_references(),
            *self.bad_units(),
            *self.bad_lists(),
            *self.bad_dependencies(),
        ]

    def bad_files(self):
        for name in self.files:
            if "\\" in name or name.startswith("/") or ".." in name.split("/"):
                yield "a path of the archive: %s" % name
        allowed = ("binaries", "resources", "documentation", "sources", "extra")
        allowed += ("terminalsAndIcons", "modelDescription.xml", "model.png")
        yield from ("file %s" % n for n in self.files if n.split("/")[0] not in allowed)
        for kind in self.kinds:
            if not os.path.exists(self.library(kind)):
                yield "no binary for %s" % kind
        if self.root.get("variableNamingConvention") != "structured":
            yield "names are not structured"

    def bad_names(self):
        names = collections.Counter(n for v in self.variables for n in (v.name, *v.aliases))
        yield from ("the name %s is not unique" % n for n, k in names.items() if k > 1)
        yield from ("the name %s is not structured" % n for n in names if not NAME.fullmatch(n))

    def bad_variable(self, v):
        where = "%s (%s %s %s): " % (v.name, v.causality, v.variability, v.initial)
        if v.possible is None:
            yield where + "causality and variability do not fit"
        elif v.initial not in v.possible:
            yield where + "initial does not fit"
        if v.variability == "continuous" and v.type not in ("Real", "Float64", "Float32"):
            yield where + "%s is continuous" % v.type
        needs = v.initial in ("exact", "approx") or v.causality == "input"
        forbids = v.initial == "calculated" or v.causality == "independent"
        if v.type != "Clock" and needs and v.start is None:
            yield where + "no start"
        if forbids and v.start is not None:
            yield where + "start is not allowed"
        if "min" in v.a and "max" in v.a and float(v.a["min"]) > float(v.a["max"]):
            yield where + "min > max"
        if v.start is not None and v.type in ("Real", "Float64"):
            for x in v.start.split() if v.sizes else [v.start]:
                float(x)

    def bad_references(self):
        independent = [v for v in self.variables if v.causality == "independent"]
        if len(independent) > 1 or (self.version == 3 and not independent):
            yield "%d independent variables" % len(independent)
        groups = {}
        for v in self.variables:
            key = v.reference if self.version == 3 else (v.type, v.reference)
            groups.setdefault(key, []).append(v)
        for same in groups.values():
            names = ", ".join(v.name for v in same)
            if len(same) > 1 and self.version == 3:
                yield "one reference for %s" % names
            if len({v.variability == "constant" for v in same}) > 1:
                yield "only some are constant: %s" % names
            if sum(v.start is not None and v.variability != "constant" for v in same) > 1:
                yield "aliases with several starts: %s" % names
            if len({v.a.get("unit") for v in same}) > 1:
                yield "aliases with several units: %s" % names

    def bad_units(self):
        units, types = {}, set()
        for x in self.root.iterfind("UnitDefinitions/Unit"):
            units[x.get("name")] = {y.get("name") for y in x.findall("DisplayUnit")}
        for x in self.root.find("TypeDefinitions") or []:
            types.add(x.get("name"))
        users = [*self.root.iter()]
        for x in users:
            unit, display = x.get("unit"), x.get("displayUnit")
            if unit and unit not in units:
                yield "the unit %s is not defined" % unit
            if display and unit and display != unit and display not in units.get(unit, ()):
                yield "the display unit %s of %s is not defined" % (display, unit)
            if x.get("declaredType") and x.get("declaredType") not in types:
                yield "the type %s is not defined" % x.get("declaredType")
        for v in self.variables:
            if v.type == "Enumeration" and not v.a.get("declaredType"):
                yield "%s: an enumeration without a type" % v.name

    def bad_lists(self):
        outputs = [v for v in self.variables if v.causality == "output"]
        derivatives = [v for _, v in self.derivatives()]
        states = [self.state_of(v) for v in derivatives if "derivative" in v.a]
        computed = {v.number for v in (*outputs, *states, *derivatives)}
        unknowns = [
            v
            for v in self.variables
            if v.causality == "calculatedParameter"
            or (v.initial in ("approx", "calculated") and v.number in computed)
        ]
        listed = {"outputs": self.outputs(), "initial unknowns": self.unknowns()}
        wanted = {"outputs": outputs, "initial unknowns": unknowns}
        for what, found in listed.items():
            a, b = {v.reference for _, v in found}, {v.reference for v in wanted[what]}
            name = lambda r: self.by_reference[r].name
            yield from ("%s: %s is missing" % (what, name(r)) for r in b - a)
            yield from ("%s: %s is too much" % (what, name(r)) for r in a - b)
            if len(found) != len({v.number for _, v in found}):
                yield "%s: one is twice" % what
        for v in derivatives:
            if "derivative" not in v.a:
                yield "%s is a derivative of nothing" % v.name
            elif not self.state_of(v).continuous():
                yield "the state of %s is not continuous" % v.name
        if len({self.state_of(v).number for v in derivatives}) != len(derivatives):
            yield "a state has two derivatives"

    def bad_dependencies(self):
        for initial, what in (
            (False, self.outputs() + self.derivatives()),
            (True, self.unknowns()),
        ):
            for x, v in what:
                a, b = x.get("dependencies"), x.get("dependenciesKind")
                if b is not None and (a is None or len(a.split()) != len(b.split())):
                    yield "%s: dependencies and kinds differ in number" % v.name
                for kind in (b or "").split():
                    if kind not in ("dependent", "constant", "fixed", "tunable", "discrete"):
                        yield "%s: kind %s" % (v.name, kind)
                    elif kind not in ("dependent", "constant") and initial:
                        yield "%s: kind %s of an initial unknown" % (v.name, kind)
                for y, _ in self.known(x) or []:
                    if y is None:
                        yield "%s: unknown dependency" % v.name

    # ---- the importer ----

    def describe(self, kind, path, changes=()):
        """Writes the text for the importer. Returns the names of the columns of its rows. `changes`
        has lines (`set …`, `at …`) with names instead of references."""
        resources = os.path.join(self.folder, "resources")
        if self.version == 2:
            resources = "file://" + urllib.parse.quote(resources)
        elif not resources.endswith("/"):
            resources += "/"
        lines = ["version %d" % self.version, "kind " + kind, "library " + self.library(kind)]
        lines += ["token " + self.token, "resources " + resources]
        lines += ["states %d" % sum(len(v.elements()) for _, v in self.derivatives())]
        lines += ["indicators %d" % self.n_indicators()]
        columns = ["time"]
        for v in self.variables:
            if v.type in ("String", "Binary", "Clock") or v.causality == "independent":
                continue
            lines.append("variable %d %s %d" % (v.reference, v.type, len(v.elements())))
            columns += v.elements()
        known = {n: v for v in self.variables for n in (v.name, *v.aliases)}
        for line in changes:
            *before, name, value = line.split()
            v = known[name]
            lines.append("%s %d %s %s" % (" ".join(before), v.reference, v.type, value))
        program.write(path, "\n".join(lines + self.describe_jacobian()) + "\n")
        return columns

    def describe_jacobian(self):
        """Derivatives, outputs and event indicators; states and inputs."""
        derivatives = [v for _, v in self.derivatives()]
        others = [v for _, v in self.outputs() + self.indicators()]
        unknowns = {v.reference: v for v in derivatives + others}
        inputs = [v for v in self.variables if v.causality == "input" and v.continuous()]
        size = lambda v: len(v.elements())
        lines = ["unknown %d %d" % (r, size(v)) for r, v in unknowns.items() if v.continuous()]
        number = 0
        for v in map(self.state_of, derivatives):
            lines.append("known %d %d %d" % (v.reference, number, size(v)))
            number += size(v)
        return lines + ["known %d -1 %d" % (v.reference, size(v)) for v in inputs]


def examples():
    patterns = ("examples/**/*." + s for s in ("mo", "dym", "om"))
    places = [os.path.join(program.TOP, p) for p in patterns]
    files = sorted(f for p in places for f in glob.glob(p, recursive=True))
    for f in files[:: 8 if program.SANITIZED else 1]:
        yield f, os.path.relpath(f, program.TOP)


def export(model, version, kind, *options, name="m"):
    """Exports a model. Returns the unpacked FMU, or None and the messages."""
    path = "%s.fmu" % name
    rc, out, err = program.call(
        "fmu", model, "-o", path, "--fmi", str(version), "--kind", kind, *options
    )
    return (Fmu(path, "unpacked %s" % name), err) if rc == 0 else (None, err)


def run_importer(*arguments, timeout=120):
    """Exit status, standard output, standard error of the importer."""
    p = subprocess.run(
        [IMPORTER, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        timeout=timeout,
    )
    return p.returncode, p.stdout, p.stderr


def number(text):
    return {"true": 1.0, "false": 0.0}.get(text) if text in ("true", "false") else float(text)


def read_rows(text):
    return [[number(x) for x in line.split(",")] for line in text.splitlines()]


class Result:
    """A result of `kairos simulate`: columns and rows, by time."""

    def __init__(self, path):
        with open(path, newline="") as f:
            reader = csv.reader(f)
            self.names = next(reader)
            self.rows = [[number(x) if x else float("nan") for x in row] for row in reader]
        self.times = [row[0] for row in self.rows]
        self.column = {n: i for i, n in enumerate(self.names)}

    def sizes(self):
        return [
            max((abs(r[i]) for r in self.rows if r[i] == r[i]), default=0)
            for i in range(len(self.names))
        ]

    def near(self, t, slack):
        """Rows around a time: all values that a variable may have there."""
        a, b = bisect.bisect_left(self.times, t - slack), bisect.bisect_right(self.times, t + slack)
        return self.rows[a:b]


def same(a, b, allowed):
    """Equal, both missing, or an angle on either side of the cut of atan2."""
    cut = math.isclose(abs(a), math.pi, rel_tol=1e-6) and abs(a + b) <= allowed
    return abs(a - b) <= allowed or (a != a and b != b) or cut


def differences(result, columns, rows, tolerance):
    """Texts for values of the rows that the result does not have at these times. Around an event,
    values of both sides are allowed."""
    span = result.times[-1] - result.times[0]
    sizes = result.sizes()
    common = [(i, result.column[n]) for i, n in enumerate(columns) if n in result.column]
    for row in rows:
        near = result.near(row[0], 2e-6 * span)
        if not near:
            yield "time %.17g is not among those of the result" % row[0]
            return
        for i, j in common[1:]:
            allowed = tolerance * sizes[j] + 1e-9
            if not any(same(row[i], x[j], allowed) for x in near):
                yield "time %.9g: %s = %.9g, not %s" % (row[0], columns[i], row[i], near[-1][j])
                return


# ---- comparisons with `kairos simulate` ----


def simulate(model, *options):
    """The result of `kairos simulate`, or None if the model cannot be simulated."""
    options = ["--intervals", str(INTERVALS), "--tolerance", str(TOLERANCE), *options]
    rc, out, err = program.call("simulate", model, "-o", "r.csv", *options)
    return Result("r.csv") if rc == 0 else None


def exported(model, version, kind, *options, name="m"):
    """The FMU; its description obeys the rules."""
    fmu, messages = export(model, version, kind, *options, name=name)
    program.check("%s is exported as FMI %d, %s" % (model, version, kind), fmu, messages)
    for text in fmu.broken_rules():
        program.check("%s, FMI %d, %s" % (model, version, kind), False, text)
    return fmu


def compare(what, fmu, kind, result, steps, changes=()):
    columns = fmu.describe(kind, "d.txt", changes)
    stop = result.times[-1]
    rc, out, err = run_importer("run", "d.txt", fmu.start, stop, INTERVALS, TOLERANCE, steps)
    program.check("%s runs with steps %s" % (what, steps), rc == 0, err[-1000:])
    rows = read_rows(out)
    ended = rows and abs(rows[-1][0] - stop) <= 1e-9 * abs(stop)
    program.check("%s reaches the end" % what, ended, rows and rows[-1][0])
    for text in differences(result, columns, rows, AGREE) if rc == 0 else ():
        program.check("%s with steps %s" % (what, steps), False, text)
    missing = [n for n in result.names if n not in columns]
    program.check("%s has all variables" % what, not missing, missing[:5])
