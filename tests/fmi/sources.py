"""The sources of FMUs, compiled: they behave as the model does in `kairos simulate`."""
import glob, hashlib, os, shutil, subprocess, sys
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from client import CHANGES, DRIVEN, INPUTS, ME_STOPS, ROOT
from client import compare, examples, export, exported, run_importer, simulate
import program
from program import call, check, example, write

# Reasons for which an FMU has no sources, or is none for model exchange.
REFUSALS = ("--kind cs", "--source")

LIBRARIES = {"libc", "libm", "ld-linux-x86-64"}  # the last is a part of the C library

EVENTFUL = """model Eventful
  function length
    input Real x[:];
    output Real y;
  algorithm
    y := 0;
    for i in 1:size(x, 1) loop
      y := y + x[i]^2;
    end for;
    y := sqrt(y);
  end length;
  parameter Real period = 0.1;
  parameter Real k = 2;
  parameter Real start(fixed = false, start = 1);
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  Real coupled(start = 1), other;
  discrete Real held(start = 0, fixed = true);
  Boolean late(start = false, fixed = true);
  Integer n(start = 0, fixed = true);
  output Real y = length({x, v, held});
initial equation
  start = 3*x;
equation
  der(x) = v;
  der(v) = -k*x - 0.1*v - (if late then 0.3 else 0);
  coupled + 0.1*sin(other) = x;
  other - 0.1*coupled^2 = start;
  when sample(0.05, period) then
    held = pre(held) + x;
    n = pre(n) + 1;
  end when;
  late = time > 0.73;
  when v < -0.9 then
    reinit(v, 0.2);
  end when;
  annotation(experiment(StopTime = 3));
end Eventful;
"""


def c_files(fmu):
    """The files to compile, by the description."""
    folder = os.path.join(fmu.folder, "sources")
    if fmu.version == 2:
        names = [x.get("name") for x in fmu.root.iterfind("ModelExchange/SourceFiles/File")]
    else:
        build = ElementTree.parse(os.path.join(folder, "buildDescription.xml")).getroot()
        c = build.find("BuildConfiguration")
        check("the build is for this model", c.get("modelIdentifier") == fmu.kinds["me"])
        names = [x.get("name") for x in c.iterfind("SourceFileSet/SourceFile")]
    present = sorted(os.path.basename(f) for f in glob.glob(os.path.join(folder, "*.c")))
    check("all sources are listed", sorted(names) == present, names)
    return [os.path.join(folder, n) for n in names]


def object_of(compiler, path):
    """Compiles a file, unless the same text was compiled before."""
    with open(path, "rb") as f:
        name = hashlib.sha256(f.read()).hexdigest()[:16]
    place = "objects/%s-%s.o" % (compiler, name)
    os.makedirs("objects", exist_ok=True)
    if not os.path.exists(place):
        flags = ["-std=c11", "-O1" if compiler == "gcc" else "-O0", "-fPIC", "-Wall", "-Werror"]
        flags += ["-Wno-unused", "-Wno-overflow"]  # model.c writes 1e999
        p = subprocess.run(
            [compiler, *flags, "-c", path, "-o", place], stderr=subprocess.PIPE, text=True
        )
        check("%s compiles %s" % (compiler, os.path.basename(path)), p.returncode == 0, p.stderr)
    return place


def compile_fmu(fmu, compiler="cc"):
    """Replaces the binary by the compiled sources."""
    objects = [object_of(compiler, f) for f in c_files(fmu)]
    library = fmu.library("me")
    os.remove(library)
    link = [compiler, "-shared", *objects, "-o", library, "-lm"]
    p = subprocess.run(link, stderr=subprocess.PIPE, text=True)
    check("%s links" % compiler, p.returncode == 0, p.stderr)
    shutil.rmtree(os.path.join(fmu.folder, "resources"))  # not needed


def needed_libraries(path):
    p = subprocess.run(["readelf", "-d", path], stdout=subprocess.PIPE, text=True, check=True)
    lines = [line for line in p.stdout.splitlines() if "NEEDED" in line]
    return {line.split("[")[1].split("]")[0].split(".so")[0] for line in lines}


def visible_symbols(path):
    p = subprocess.run(["nm", "-D", "--defined-only", path], stdout=subprocess.PIPE, text=True)
    return [line.split()[-1] for line in p.stdout.splitlines()]


def test_compilers():
    write("Eventful.mo", EVENTFUL)
    result = simulate("Eventful.mo")
    for compiler in ("gcc", "clang", "musl-gcc"):
        if not shutil.which(compiler):
            continue
        for version in (2, 3):
            name = "m%d" % version
            fmu = exported("Eventful.mo", version, "me", "--source", name=name)
            compile_fmu(fmu, compiler)
            needs = needed_libraries(fmu.library("me"))
            check("%s: only C library and libm" % compiler, needs <= LIBRARIES, needs)
            symbols = visible_symbols(fmu.library("me"))
            others = [s for s in symbols if not s.startswith(("fmi", "_"))]
            check("only functions of FMI are visible", not others, others[:5])
            if compiler != "musl-gcc":  # the importer has another C library
                compare("%s, FMI %d" % (compiler, version), fmu, "me", result, "equal")


def test_examples():
    """As for binaries; models that need more than sources have are refused with a message."""
    tried = 0
    for path, name in examples():
        fmu, messages = export(path, 2, "me", "--source")
        if not fmu and any(r in messages for r in REFUSALS):
            continue
        stop = ME_STOPS.get(name)
        result = simulate(path, *(["--stop-time", str(stop)] if stop else []), "--hide-protected")
        if not result:
            continue
        check("%s is exported" % name, fmu, messages)
        if not fmu:
            continue
        compile_fmu(fmu)
        compare(name, fmu, "me", result, "equal")
        tried += 1
    check("examples are run", tried > (1 if program.SANITIZED else 15), tried)


COMMUTATION = """model Commutation "Diodes by an automaton, from ideal sources into one load"
  parameter Real R = 0;
  Real u[2] = {sin(6.283185307179586*time + 0.3), sin(6.283185307179586*time + 2.4)};
  Real v[2], i[2], w(start = 0, fixed = true), y;
  Boolean off[2](each start = true, each fixed = true);
equation
  for k in 1:2 loop
    v[k] = u[k] - R*i[k] - y;
    0 = if pre(off[k]) then i[k] else v[k];
    off[k] = pre(off[k]) and v[k] <= 0 or not pre(off[k]) and i[k] < 0;
  end for;
  y = 2*(i[1] + i[2]);
  der(w) = y;
end Commutation;
"""


def test_switches():
    """Diodes that short both sources for an instant need the engine. With resistances, the event
    iteration is enough."""
    write("Commutation.mo", COMMUTATION)
    fmu, messages = export("Commutation.mo", 2, "me", "--source")
    check("only the engine can search", not fmu and "ideal switches" in messages, messages)
    write("Commutation.mo", COMMUTATION.replace("R = 0", "R = 0.1"))
    fmu = exported("Commutation.mo", 3, "me", "--source")
    compile_fmu(fmu)
    compare("resistances", fmu, "me", simulate("Commutation.mo"), "equal")


def test_inputs_and_states():
    write("Driven.mo", DRIVEN)
    write("in.csv", INPUTS)
    result = simulate("Driven.mo", "--input", "in.csv", "--set", "k=1.5", "--set", "mode=Mode.fast")
    for version in (2, 3):
        name = "m%d" % version
        fmu = exported("Driven.mo", version, "me", "--source", name=name)
        compile_fmu(fmu)
        compare("sources", fmu, "me", result, "equal", ["set k 1.5", "set mode 2"] + CHANGES)
        fmu.describe("me", "d.txt")
        rc, out, err = run_importer("states", "d.txt", 0, 2, 40, 1e-6)
        check("states of sources, FMI %d" % version, rc == 0, err[-1000:])
        rc, out, err = run_importer("jacobian", "d.txt", 0, 1)
        check("derivatives of sources, FMI %d" % version, rc == 0, err[-1000:])
        for line in out.splitlines():
            a, b = map(float, line.split()[2:])
            check("derivatives of sources", abs(a - b) <= 1e-4 * (1 + abs(a)), line)
        for seed in range(5):
            rc, out, err = run_importer("fuzz", "d.txt", seed, 500)
            check("calls in any order, seed %d" % seed, rc == 0, err[-1000:])


def test_undefined_values():
    write("Root.mo", ROOT)
    fmu = exported("Root.mo", 2, "me", "--source")
    compile_fmu(fmu)
    fmu.describe("me", "d.txt")
    rc, out, err = run_importer("run", "d.txt", 0, 0.9, 9, 1e-6, "equal")
    check("sources run until 0.9", rc == 0, err[-1000:])
    rc, out, err = run_importer("run", "d.txt", 0, 1.2, 12, 1e-6, "equal")
    check("no undefined value", rc == 1 and "not a finite number" in err, err[-1000:])


def test_kinds():
    rc, out, err = call("fmu", example("BouncingBall.mo"), "-o", "b.fmu", "--source")
    fmu, messages = export(example("BouncingBall.mo"), 3, "both", "--source")
    check("the default kind has both interfaces", rc == 0 and "cs" in fmu.kinds, err)
    rc, out, err = call("fmu", example("BouncingBall.mo"), "--kind", "cs", "--source")
    check("sources are for model exchange", rc == 2 and "me or both" in err, (rc, err))


program.run_tests()
