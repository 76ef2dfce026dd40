"""FMUs in our own importer: communication steps, saved states, many instances and loads, inputs,
wrong calls, and what a binary contains."""
import os, struct, subprocess, sys
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import client, program
from client import CHANGES, DRIVEN, INPUTS, PINS, TERMINALS
from client import compare, export, exported, read_rows, run_importer, simulate
from program import TOP, call, check, example, write

WAYS = [(version, kind) for version in (2, 3) for kind in ("cs", "me")]


def test_communication_steps():
    """Points that are products or sums, with their rounding, and steps of any length."""
    for model in ("BouncingBall.mo", "SampledController.mo", "SixPulseRectifier.mo"):
        result = simulate(example(model))
        for version in (2, 3):
            fmu = exported(example(model), version, "cs")
            for steps in ("equal", "summed", "divided"):
                compare("%s, FMI %d" % (model, version), fmu, "cs", result, steps)


def test_inputs():
    write("Driven.mo", DRIVEN)
    write("in.csv", INPUTS)
    result = simulate("Driven.mo", "--input", "in.csv", "--set", "k=1.5", "--set", "mode=Mode.fast")
    sets = ["set k 1.5", "set mode 2"]
    for version, kind in WAYS:
        fmu = exported("Driven.mo", version, kind)
        steps = ["equal"] + (["divided", "events"] if (version, kind) == (3, "cs") else [])
        for s in steps:
            what = "inputs, FMI %d, %s" % (version, kind)
            compare(what, fmu, kind, result, s, sets + CHANGES)
        causality = {v.name: v.causality for v in fmu.variables}
        wanted = {"u": "input", "n": "input", "on": "input", "y": "output", "count": "output"}
        wanted.update(k="parameter", mode="parameter", q="calculatedParameter", x="local")
        found = {n: causality.get(n) for n in wanted}
        check("causalities of FMI %d" % version, found == wanted, found)


FOREIGN = """package Foreign
  class Accumulator
    extends ExternalObject;
    function constructor
      input Real first;
      output Accumulator a;
      external "C" a = accumulator_new(first) annotation(Include = "#include \\"accumulator.h\\"");
    end constructor;
    function destructor
      input Accumulator a;
      external "C" accumulator_free(a) annotation(Include = "#include \\"accumulator.h\\"");
    end destructor;
  end Accumulator;
  impure function add
    input Accumulator a;
    input Real x;
    output Real sum;
    external "C" sum = accumulator_add(a, x) annotation(Include = "#include \\"accumulator.h\\"");
  end add;
  function twice
    input Real x;
    output Real y;
    external "C" y = foreign_twice(x) annotation(Library = "Twice");
  end twice;
  function half
    input Real x;
    output Real y;
    external "C" y = foreign_half(x) annotation(Library = "Twice");
  end half;
  function read
    input String file;
    output Real y;
    external "C" y = read_number(file) annotation(Include = "#include \\"accumulator.h\\"");
  end read;
  model Test
    Accumulator a = Accumulator(read(ModelicaServices.ExternalReferences.loadResource(
      "modelica://Foreign/Resources/number.txt")));
    discrete Real sum(start = 0, fixed = true);
    Real x(start = 0, fixed = true);
  equation
    der(x) = half(2*twice(x)) + 1;
    when sample(0.1, 0.1) then
      sum = add(a, x);
    end when;
  end Test;
end Foreign;
"""
SERVICES = """package ModelicaServices
  package ExternalReferences
    function loadResource
      input String uri;
      output String fileReference;
      external "builtin";
    end loadResource;
  end ExternalReferences;
end ModelicaServices;
"""
ACCUMULATOR = """#include <stdio.h>
#include <stdlib.h>
#include "ModelicaUtilities.h"
static void *accumulator_new(double first)
{
    double *sum = malloc(sizeof *sum);
    *sum = first;
    return sum;
}
static void accumulator_free(void *a) { free(a); }
static double accumulator_add(void *a, double x)
{
    ModelicaMessage("added");
    return *(double *)a += x;
}
static double read_number(const char *path)
{
    double x = 0;
    FILE *f = fopen(path, "r");
    if (!f || fscanf(f, "%lf", &x) != 1)
        ModelicaError("no number");
    fclose(f);
    return x;
}
"""

TWICE = """double somewhere_else(void);
double foreign_never(void) { return somewhere_else(); } /* which no library has */
double foreign_twice(double x) { return 2 * x; }
double foreign_half(double x) { return x / 2; }
"""


def test_external():
    """Foreign code, a library with sources, and a file of a library are inside the FMU."""
    write("lib/Foreign/package.mo", FOREIGN)
    write("lib/Foreign/Resources/Include/accumulator.h", ACCUMULATOR)
    write("lib/Foreign/Resources/Source/twice.c", TWICE)
    write("lib/Foreign/Resources/number.txt", "42\n")
    write("lib/ModelicaServices/package.mo", SERVICES)
    write("lib/Foreign/Resources/Licenses/LICENSE_Twice.txt", "Twice is free.\n")
    write("lib/ModelicaServices/License", "So is this.\n")
    result = simulate("Foreign.Test", "--library", "lib")
    check("the model runs", result)
    library = ("--library", "lib")
    fmus = [exported("Foreign.Test", v, k, *library, name="%d%s" % (v, k)) for v, k in WAYS]
    for name in ("Foreign/LICENSE_Twice.txt", "ModelicaServices/License"):
        path = "documentation/licenses/" + name
        check("the terms of libraries", all(path in fmu.files for fmu in fmus), name)
    os.rename("lib", "gone")
    cache = os.environ.get("XDG_CACHE_HOME")
    os.environ["XDG_CACHE_HOME"] = os.path.abspath("cache")
    for (version, kind), fmu in zip(WAYS, fmus):
        compare("external code, FMI %d, %s" % (version, kind), fmu, kind, result, "equal")
        ending = [v for v in result.names if v == "sum"]
        check("the file was read", ending and result.rows[-1][result.column["sum"]] > 42)
    check("nothing was compiled", not os.path.exists("cache"))
    os.environ.pop("XDG_CACHE_HOME") if cache is None else os.environ.update(XDG_CACHE_HOME=cache)


def test_same_bits():
    """Saved states, resets and other instances; a state in another process; two FMUs at once."""
    for version, kind in WAYS:
        for i, model in enumerate(("BouncingBall.mo", "SampledController.mo", "Pendulum.mo")):
            fmu = exported(example(model), version, kind, name="m%d" % i)
            fmu.describe(kind, "d%d.txt" % i)
            rc, out, err = run_importer("states", "d%d.txt" % i, 0, 2, 40, 1e-6)
            check("%s, FMI %d, %s" % (model, version, kind), rc == 0, err[-1000:])
            if kind == "cs":
                plan = ("d%d.txt" % i, 0, 2, 40, 1e-6, "state")
                rc, whole, err = run_importer("save", *plan)
                check("%s is saved" % model, rc == 0 and whole, err[-1000:])
                rc, rest, err = run_importer("resume", *plan)
                check("%s continues elsewhere" % model, rc == 0 and rest == whole, err[-1000:])
        rc, out, err = run_importer("two", "d0.txt", "d1.txt")
        check("two FMUs, FMI %d, %s" % (version, kind), rc == 0, err[-1000:])


def test_many_loads():
    for version, kind in () if program.SANITIZED else WAYS:  # sanitizers keep memory
        fmu = exported(example("BouncingBall.mo"), version, kind)
        fmu.describe(kind, "d.txt")
        rc, out, err = run_importer("loads", "d.txt", 1000 if kind == "cs" else 100, timeout=600)
        check("many loads, FMI %d, %s" % (version, kind), rc == 0, err[-1000:])


BORDERS = """model Borders
  Real x(start = 1, fixed = true), y(start = 2, fixed = true);
  Boolean a = x*y > 1, b = x + time*y > 9, c = y^2 < 0.1;
equation
  der(x) = (if a then -1 else -2)*x;
  der(y) = if b or c then 1 else x;
end Borders;
"""


def test_derivatives():
    """Directional derivatives against difference quotients, and every dependency is declared."""
    write("Driven.mo", DRIVEN)
    write("Borders.mo", BORDERS)
    others = ("RLC.mo", "Pendulum.mo", "TwoBlocks.mo", "HeatLine.mo")
    models = ["Driven.mo", "Borders.mo", *map(example, others)]
    for model in models:
        for version in (2, 3):
            fmu, messages = export(model, version, "me")
            if not fmu:
                check("%s is refused with a way out" % model, "--kind cs" in messages, messages)
                continue
            fmu.describe("me", "d.txt")
            rc, out, err = run_importer("jacobian", "d.txt", 0, 1)
            check("%s, FMI %d" % (model, version), rc == 0, err[-1000:])
            check_derivatives("%s, FMI %d" % (model, version), fmu, out)


def check_derivatives(what, fmu, out):
    unknowns = fmu.outputs() + fmu.derivatives() + fmu.indicators()
    declared = {v.reference: fmu.known(x) for x, v in unknowns}
    for line in out.splitlines():
        unknown, known, quotient, derivative = line.split()
        of, by, a, b = int(unknown), int(known), float(quotient), float(derivative)
        names = "%s by %s" % (fmu.by_reference[of].name, fmu.by_reference[by].name)
        check("%s: %s" % (what, names), abs(a - b) <= 1e-4 * (1 + abs(a)), (a, b))
        listed = declared[of] is None or by in [v.reference for v, _ in declared[of]]
        check("%s: %s is declared" % (what, names), listed or abs(a) < 1e-6, a)
    check("%s has derivatives" % what, out)


def test_initial_dependencies():
    """By hand, for the variables of Driven."""
    write("Driven.mo", DRIVEN)
    wanted = {
        "q": {"k"},
        "y": {"factor", "x", "w[2]"},
        "der(x)": {"u", "on", "k", "x", "mode"},
        "der(w[1])": {"w[1]"},
        "der(w[2])": {"n", "u", "w[1]"},
    }
    arrays = {"y": {"factor", "x", "w"}, "der(w)": {"n", "u", "w"}}
    for version in (2, 3):
        fmu = exported("Driven.mo", version, "me")
        lists = {v.name: fmu.known(x) for x, v in fmu.unknowns()}
        here = {n: k for n, k in wanted.items() if version == 2 or "[" not in n}
        here.update(arrays if version == 3 else {})
        for name, knowns in here.items():
            found = {v.name for v, _ in lists[name] or []}
            check("FMI %d: %s" % (version, name), found == knowns, found)


ARRAYS = """model Arrays
  type Level = enumeration(low, high);
  input Real u[2](each start = 0.5);
  parameter Real k[3] = {1, 2, 3};
  parameter Real M[2, 2] = {{1, 2}, {3, 4}};
  parameter Boolean on[2] = {true, false};
  parameter Integer n[2] = {3, 4};
  parameter Level level[2] = {Level.low, Level.high};
  parameter Real unlike[2](unit = {"V", "A"}) = {5, 6};
  Real x[3](start = {1, 2, 3}, each fixed = true);
  discrete Real h(start = 0, fixed = true);
  Real z(start = 1, fixed = true), s(start = 1, fixed = true);
  output Real y[2] = M*u;
equation
  for i in 1:3 loop
    der(x[i]) = 2*u[1]*h - k[i]*x[i] + (if on[1] then 0 else n[2]);
  end for;
  der(z) = 3*x[1] - 0.5*s;
  der(s) = -s^2*x[2];
  when sample(0.25, 0.5) then
    h = pre(h) + 1;
  end when;
end Arrays;
"""


def test_arrays():
    """In FMI 3 an array is one variable, if its elements are alike."""
    write("Arrays.mo", ARRAYS)
    result = simulate("Arrays.mo")
    sizes = dict(u=["2"], k=["3"], M=["2", "2"], on=["2"], n=["2"], level=["2"], x=["3"], y=["2"])
    sizes.update({"der(x)": ["3"], "unlike[1]": [], "unlike[2]": []})
    for kind in ("cs", "me"):
        fmu = exported("Arrays.mo", 3, kind)
        found = {v.name: v.sizes for v in fmu.variables}
        check("sizes", all(found.get(n) == s for n, s in sizes.items()), found)
        starts = {v.name: v.start for v in fmu.variables}
        check("starts", (starts["M"], starts["on"]) == ("1 2 3 4", "true false"), starts)
        compare("arrays, " + kind, fmu, kind, result, "equal")


QUANTITIES = """model Quantities
  type Voltage = Real(quantity = "ElectricPotential", unit = "V", displayUnit = "kV");
  type Small = Real(quantity = "ElectricPotential", unit = "mV");
  parameter Voltage v = 3, w = 4;
  Small s = 5;
  Real x(quantity = "Length", unit = "m") = time;
end Quantities;
"""


def test_types():
    """A type for each combination of quantity and units."""
    write("Quantities.mo", QUANTITIES)
    for version in (2, 3):
        fmu = exported("Quantities.mo", version, "cs")
        declared = {v.name: v.a.get("declaredType") for v in fmu.variables}
        check("the same type", declared["v"] == declared["w"] == "ElectricPotential", declared)
        check("other types", len({declared[n] for n in "vsx"}) == 3, declared)
        types = {x.get("name"): x for x in fmu.root.find("TypeDefinitions")}
        real = types["ElectricPotential"]
        real = real.find("Real") if version == 2 else real
        found = (real.get("unit"), real.get("displayUnit"), real.get("quantity"))
        check("the type", found == ("V", "kV", "ElectricPotential"), found)


def test_dependency_kinds():
    """By hand: factors are numbers, parameters, discrete or anything."""
    write("Arrays.mo", ARRAYS)
    wanted = {
        "der(z)": {"x[1]": "constant", "s": "constant"},
        "der(s)": {"s": "dependent", "x[2]": "dependent"},
        "der(x[1])": {"u[1]": "discrete", "x[1]": "tunable"},
        "y[1]": {"u[1]": "tunable", "u[2]": "tunable"},
    }
    fmu = exported("Arrays.mo", 2, "me")
    for x, v in fmu.outputs() + fmu.derivatives():
        found = {y.name: kind for y, kind in fmu.known(x)}
        check(v.name, found == wanted.get(v.name, found), found)
    fmu = exported("Arrays.mo", 3, "me")
    found = {v.name: {y.name: k for y, k in fmu.known(x)} for x, v in fmu.derivatives()}
    check("der(x)", found["der(x)"] == {"u": "discrete", "x": "tunable"}, found)


def test_dependencies_in_sums():
    """A variable in several summands has the kind of its whole factor. A wide sum ends in time."""
    write(
        "Sums.mo",
        "model Sums parameter Real k = 2; parameter Real p[20000] = {i for i in 1:20000};"
        " input Real u; Real x(start = 0), y(start = 0), z(start = 0), w(start = 0);"
        " equation der(x) = u + k*u"
        " + 3*x; der(y) = u + sin(u) + y; der(z) = -(u + time*z) + y; der(w) = sum(p) - w; end"
        " Sums;",
    )
    wanted = {
        "der(x)": {"u": "tunable", "x": "constant"},
        "der(y)": {"u": "dependent", "y": "constant"},
        "der(z)": dict(u="constant", z="dependent", y="constant", time="dependent"),
        "der(w)": {"w": "constant"},
    }
    fmu = exported("Sums.mo", 2, "me")
    for x, v in fmu.derivatives():
        found = {y.name: kind for y, kind in fmu.known(x)}
        found = {name: kind for name, kind in found.items() if not name.startswith("p[")}
        check(v.name, found == wanted[v.name], found)


def test_exchanged_states():
    """A pendulum that turns over: its states are exchanged after some steps, and the importer must
    read them again. The angle is integrated beside it."""
    write(
        "Turning.mo",
        """model Turning Real x(start = 1), y(start = 0, fixed = true), u, v(fixed = true, start = -1);
Real f, a(start = 0, fixed = true), b(start = -1, fixed = true), e = x - cos(a);
equation x^2 + y^2 = 1; der(x) = u; der(y) = v; der(u) = -f*x; der(v) = -f*y - 9.81;
der(a) = b; der(b) = -9.81*cos(a); annotation(experiment(StopTime = 3)); end Turning;""",
    )
    for version in (2, 3):
        fmu = exported("Turning.mo", version, "me")
        columns = fmu.describe("me", "d.txt")
        rc, out, err = client.run_importer("run", "d.txt", 0, 3, 100, 1e-8, "equal")
        errors = [abs(row[columns.index("e")]) for row in client.read_rows(out)] if rc == 0 else []
        exchanges = int(err.split()[-2]) if rc == 0 else 0
        check("FMI %d" % version, rc == 0 and len(errors) == 101, err[-300:])
        check("states are exchanged", exchanges > 1, err[-300:])
        check("the same motion", errors and max(errors) < 1e-4, max(errors, default=None))


def test_completed_steps():
    """Steps count for assertions, chosen states and systems of equations, and for nothing else."""
    models = {
        "equation der(x) = -x": False,
        'equation der(x) = -x; assert(x < 2, "large")': True,
        "Real y(start = 1); equation der(x) = -y; y + exp(y) = 2 + x": True,
    }
    for k, (text, needed) in enumerate(models.items()):
        write("Decay.mo", "model Decay Real x(start = 1, fixed = true); %s; end Decay;" % text)
        for version, flag in ((2, not needed), (3, needed)):
            found = exported("Decay.mo", version, "me").root.find("ModelExchange").attrib
            names = {2: "completedIntegratorStepNotNeeded", 3: "needsCompletedIntegratorStep"}
            check("%d, FMI %d" % (k, version), found[names[version]] == str(flag).lower(), found)


def test_pictures():
    """The icon, the diagram, and a terminal for a connector."""
    write("Pins.mo", PINS)
    pictures = {2: "model.png", 3: "terminalsAndIcons/icon.png"}
    for version, picture in pictures.items():
        fmu = exported("Pins.mo", version, "cs", "--model", "Pins.Source")
        check("the diagram", "documentation/diagram.svg" in fmu.files, fmu.files)
        if picture in fmu.files:  # if cairo is installed
            with open(os.path.join(fmu.folder, picture), "rb") as f:
                head = f.read(24)
            check("a PNG", head[:8] == b"\x89PNG\r\n\x1a\n", head)
            width, height = struct.unpack(">II", head[16:])
            check("its size is that of an icon", 100 < min(width, height), (width, height))
            check("its size is that of an icon", max(width, height) <= 400, (width, height))
    if picture in fmu.files:
        with open(os.path.join(fmu.folder, "terminalsAndIcons/icon.svg"), encoding="utf-8") as f:
            check("the icon has the name of the model", ">Source<" in f.read())
    root = ElementTree.parse(os.path.join(fmu.folder, TERMINALS)).getroot()
    members = root.findall("Terminals/Terminal[@name='p']/TerminalMemberVariable")
    kinds = {x.get("variableName"): x.get("variableKind") for x in members}
    check("the terminal", kinds == {"p.v": "signal", "p.i": "inflow"}, kinds)
    plain = exported(example("BouncingBall.mo"), 3, "cs")
    check("no empty pictures", not any("icon" in x.lower() for x in plain.files), plain.files)


def test_wrong_calls():
    write("Driven.mo", DRIVEN)
    for version, kind in WAYS:
        fmu = exported("Driven.mo", version, kind)
        fmu.describe(kind, "d.txt", ["at 0 u 0.5", "at 0 n 1"])
        rc, out, err = run_importer("wrong", "d.txt", 0, 1)
        check("wrong calls, FMI %d, %s" % (version, kind), rc == 0, err[-1500:])


def test_undefined_values():
    """A value that is not a number is never read without an error."""
    write("Root.mo", client.ROOT)
    for version, kind in WAYS:
        exported("Root.mo", version, kind).describe(kind, "d.txt")
        what = "FMI %d, %s" % (version, kind)
        rc, out, err = run_importer("run", "d.txt", 0, 0.9, 9, 1e-6, "equal")
        check("%s, until 0.9" % what, rc == 0, err[-1000:])
        rc, out, err = run_importer("run", "d.txt", 0, 1.2, 12, 1e-6, "equal")
        check("%s, until 1.2" % what, rc == 1 and "sqrt(x) is nan" in err, err[-1000:])


def test_inputs_that_come_later():
    """In initialization mode, values may have no solution until the importer sets the inputs."""
    texts = ["Real y = 1/u; equation der(x) = 1", "Real y = 3; equation der(x) = sqrt(u - 1)"]
    for k, text in enumerate(texts):
        write("Late.mo", "model Late input Real u; Real x; %s; end Late;" % text)
        for version, kind in WAYS:
            exported("Late.mo", version, kind).describe(kind, "d.txt", ["at 0 u 2"])
            rc, out, err = run_importer("later", "d.txt", 0)
            check("%d, FMI %d, %s" % (k, version, kind), rc == 0, err[-1000:])


def test_any_order():
    """Calls in any order, on models with impacts, samples, state sets and inputs."""
    write("Driven.mo", DRIVEN)
    others = ("BouncingBall.mo", "SampledController.mo", "Pendulum.mo")
    models = ["Driven.mo", *map(example, others[: 1 if program.SANITIZED else 3])]
    for version, kind in WAYS:
        for model in models:
            fmu = exported(model, version, kind)
            fmu.describe(kind, "d.txt")
            for seed in range(2 if program.SANITIZED else 10):
                rc, out, err = run_importer("fuzz", "d.txt", seed, 500)
                what = "%s, FMI %d, %s, seed %d" % (os.path.basename(model), version, kind, seed)
                check(what, rc == 0, err[-1000:])


INSTANTS = """model Instants
  discrete Real a(start = 10, fixed = true), b(start = 0, fixed = true);
  Boolean on = true;
  Real one = if on then 1 else 0;
  Integer whole = -integer(-one);
  Real x(start = 0, fixed = true);
equation
  der(x) = whole + b;
  when time >= 0.5 then
    a = 0.5;
  end when;
  when time >= a then
    b = pre(b) + 1;
  end when;
end Instants;
"""


def test_instants():
    """An event schedules another one for the same instant; a relation is zero at the start."""
    write("Instants.mo", INSTANTS)
    result = simulate("Instants.mo")
    check("x(1) = 1.5", abs(result.rows[-1][result.column["x"]] - 1.5) < 1e-6)
    for version, kind in WAYS:
        fmu = exported("Instants.mo", version, kind)
        compare("instants, FMI %d, %s" % (version, kind), fmu, kind, result, "equal")


def test_ends():
    """A model that ends itself, and one that fails."""
    write(
        "Ends.mo",
        "model Ends Real x(start = 0, fixed = true); equation der(x) = 1; "
        'when x > 0.35 then terminate("enough"); end when; end Ends;',
    )
    write(
        "Fails.mo",
        "model Fails Real x(start = 0, fixed = true); equation der(x) = 1; "
        'assert(x < 0.35, "x is too large"); end Fails;',
    )
    for version, kind in WAYS:
        for steps in ["equal"] + ["events"] * (version == 3 and kind == "cs"):
            what = "FMI %d, %s, %s" % (version, kind, steps)
            exported("Ends.mo", version, kind).describe(kind, "d.txt")
            rc, out, err = run_importer("run", "d.txt", 0, 1, 10, 1e-8, steps)
            rows = read_rows(out)
            check("the end, " + what, rc == 0 and abs(rows[-1][0] - 0.35) < 1e-6, (rows[-1:], err))
            exported("Fails.mo", version, kind).describe(kind, "d.txt")
            rc, out, err = run_importer("run", "d.txt", 0, 1, 10, 1e-8, steps)
            check("the failure, " + what, rc == 1 and "x is too large" in err, (rc, err))


def test_binary():
    """Only functions of FMI are visible, the C library is all it needs, and it writes no files."""
    for version, kind in WAYS:
        fmu = exported(example("BouncingBall.mo"), version, kind)
        library = fmu.library(kind)
        names = subprocess.run(["nm", "-D", "--defined-only", library], stdout=subprocess.PIPE)
        symbols = {line.split()[-1] for line in names.stdout.decode().splitlines()}
        others = [s for s in symbols if not s.startswith(("fmi2", "fmi3"))]
        check("symbols of FMI %d" % version, symbols and not others, others)
        needed = subprocess.run(["ldd", library], stdout=subprocess.PIPE).stdout.decode()
        libraries = {line.split()[0].split("/")[-1] for line in needed.splitlines()}
        allowed = {"linux-vdso.so.1", "libm.so.6", "libc.so.6", "ld-linux-x86-64.so.2"}
        check("libraries", program.SANITIZED or libraries <= allowed, libraries - allowed)
        fmu.describe(kind, "d.txt")
        before = everything()
        rc, out, err = run_importer("states", "d.txt", 0, 1, 20, 1e-6)
        check("no files", everything() == before, everything() - before)
        check("no text", not out and not err, out + err)


def everything():
    return {
        (os.path.join(folder, name), os.stat(os.path.join(folder, name)).st_mtime_ns)
        for folder, _, names in os.walk(".")
        for name in names
    }


def test_elsewhere():
    """An FMU in a folder whose name has spaces and letters that a URI escapes."""
    for version, kind in WAYS:
        path = "m.fmu"
        rc, out, err = call(
            "fmu", example("BouncingBall.mo"), "-o", path, "--fmi", str(version), "--kind", kind
        )
        fmu = client.Fmu(path, "a b/ä%20#c/x+y")
        fmu.describe(kind, "d.txt")
        rc, out, err = run_importer("run", "d.txt", 0, 1, 10, 1e-6, "equal")
        check("FMI %d, %s" % (version, kind), rc == 0 and out, err[-1000:])


program.run_tests()
