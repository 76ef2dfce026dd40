"""The stages of tests/run, in the order in which they run. A stage is one function that yields
tests."""
import dataclasses, functools, glob, os, re, shutil, subprocess, sys, tempfile
from typing import Callable

from models import check as check_model

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILDS = {  # folder: options of cmake
    "build-test": ["-DKAIROS_CHECK=ON", "-DKAIROS_TESTS=ON"],
    "build-asan": ["-DKAIROS_CHECK=ON", "-DKAIROS_TESTS=ON", "-DKAIROS_SANITIZE=ON"],
    "build-threads": ["-DKAIROS_TESTS=ON", "-DKAIROS_SANITIZE=THREAD"],
    "build-coverage": ["-DKAIROS_CHECK=ON", "-DKAIROS_TESTS=ON", "-DKAIROS_COVERAGE=ON"],
    "build-fuzz": [
        "-DKAIROS_CHECK=ON",
        "-DKAIROS_SANITIZE=ON",
        "-DKAIROS_FUZZ=ON",
        "-DCMAKE_C_COMPILER=clang",
    ],
}
STAGES = {}


class Skip(Exception):
    """Raised by a test that cannot run here; the text says why."""


@dataclasses.dataclass
class Test:
    name: str  # `tests/run NAME` searches in it; a path if the test is one file
    run: Callable  # run(parts) returns None or an error text; parts is None for all
    build: str = None  # a folder of BUILDS
    targets: tuple = ("kairos-cli",)
    parts: tuple = ()  # functions inside the test that can be run on their own
    prepare: Callable = None  # runs once before its tests; returns an error or None
    alone: bool = False  # sensitive to load: runs while no other test does
    waits: bool = False  # waits for a server most of the time: runs beside the others
    long: bool = False  # takes more than 20 s: begins early


@dataclasses.dataclass
class Stage:
    tests: Callable  # tests(args) yields tests
    text: str
    again: bool  # repeats tests of other stages: `tests/run NAME` ignores it without --only
    asked: bool  # runs only if --only names it


def stage(text, again=False, asked=False):
    def add(function):
        STAGES[function.__name__] = Stage(function, text, again, asked)
        return function

    return add


def call(command, **more):
    """Returns the exit status and the output of the command."""
    try:
        p = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            **more
        )
    except subprocess.TimeoutExpired as x:
        return 1, "no answer in %d s" % x.timeout
    return p.returncode, p.stdout.decode("utf-8", "replace")


def environment(**more):
    """For the program under test: no libraries of the user, strict sanitizers."""
    env = dict(
        os.environ,
        PYTHONDONTWRITEBYTECODE="1",
        UBSAN_OPTIONS="print_stacktrace=1",
        # Without interception the leak check does not guess where thread-local data of opened
        # libraries is; a wrong guess ends it.
        ASAN_OPTIONS="detect_leaks=1:abort_on_error=0:allocator_may_return_null=1:"
        "intercept_tls_get_addr=0",
        TSAN_OPTIONS="halt_on_error=1",
        LSAN_OPTIONS="suppressions=%s:print_suppressions=0" % path("tests/leaks.supp"),
        KAIROS_DATA=path("build-test/no-libraries"),
    )
    env.pop("MODELICAPATH", None)
    env.update(more)
    return env


def path(*names):
    return os.path.join(TOP, *names)


def found(*patterns):
    """Files relative to the checkout, sorted."""
    files = (f for p in patterns for f in glob.glob(path(p), recursive=True))
    return sorted(os.path.relpath(f, TOP) for f in files)


def stem(file):
    return os.path.splitext(os.path.basename(file))[0]


def defined(file, pattern):
    """The first group of every match of a pattern in a file of the checkout."""
    with open(path(file), encoding="utf-8") as f:
        return tuple(re.findall(pattern, f.read(), re.M))


def tail(text):
    return text[-6000:]


def command(*words, env=environment, print_last_line=False, error=tail):
    """A run of a command in the checkout. It fails unless the exit status is 0."""

    def run(parts):
        rc, out = call(words, env=env(), cwd=TOP)
        if print_last_line and out.strip():
            print(out.strip().splitlines()[-1], flush=True)
        return None if rc == 0 else error(out)

    return run


def in_empty_folder(words, env):
    with tempfile.TemporaryDirectory(prefix="kairos-test-") as folder:
        return call(words, env=env, cwd=folder, timeout=900)


# ---- stages ----


@stage("the layout of the C files, and the length of lines everywhere")
def format(args):
    def run(parts):
        files = map(path, call([path("packaging/files"), "*.c", "*.h"])[1].split())
        rc, out = call(["clang-format", "--dry-run", "-Werror", *files])
        return None if rc == 0 else "run 'make format'\n" + out

    yield Test("format", run)
    yield Test("tests/line_lengths.py", command(sys.executable, path("tests/line_lengths.py")))


@stage("rooms of src include only what tools/layers.txt allows, and circles of calls do not grow")
def layers(args):
    yield Test(
        "tools/check-layers",
        command(path("tools/check-layers"), "--cycles", path("build-test")),
        "build-test",
    )
    for script in "tests/layers.py", "tests/header_sections.py":
        yield Test(script, command(sys.executable, path(script)))
    yield Test("tests/one_row.py", command(sys.executable, path("tests/one_row.py")))


@stage("every program compiles, those of the benchmarks included")
def build(args):
    yield Test("build", lambda parts: None, "build-test", ("all",))


@stage("cmocka programs of tests/unit, in a build where every phase's checker runs after it")
def unit(args, folder="build-test"):
    def test(source):
        def one(part=None):
            more = {"KAIROS_UNIT_TEST": part} if part else {}
            rc, out = in_empty_folder([path(folder, stem(source))], environment(**more))
            return None if rc == 0 and "Running 0 test" not in out else tail(out)

        def run(parts):
            return "\n".join(filter(None, map(one, parts or [None]))) or None

        return Test(
            source, run, folder, (stem(source),), defined(source, r"^static void (\w+)\(void \*\*")
        )

    yield from map(test, found("tests/unit/*.c"))


MODELS = ["%s/**/*.%s" % (f, s) for f in ("tests/models", "examples") for s in ("mo", "dym", "om")]


SAVED = [
    *MODELS[3:],
    *("tests/models/%s/*.mo" % f for f in ("clocks", "delay", "events", "hold", "machines")),
    *("tests/models/%s/*.mo" % f for f in ("mixed", "modes", "solvers", "statesets")),
]


@stage("models of tests/models and examples against the expectations written in them")
def models(args, folder="build-test"):
    def test(file):
        def run(parts):
            return check_model(path(folder, "kairos"), path(file), environment())

        return Test(file, run, folder)

    yield from map(test, found(*MODELS))
    if folder == "build-test":
        # The flat text of every model, read again, gives the same text.
        # `build-test/flat_roundtrip --simulate` compares results too.
        yield Test(
            "tests/tools/flat_roundtrip.c",
            command(path("build-test/flat_roundtrip"), "tests/models", "examples"),
            folder,
            ("flat_roundtrip",),
        )
        # A run that is saved and restored continues with the same bits.
        yield Test(
            "tests/tools/saved_states.c",
            command(path("build-test/saved_states"), *found(*SAVED)),
            folder,
            ("saved_states",),
        )


WAITING = {"tests/cli/slurm.py"}
LONG = {
    "tests/fmi/examples.py",
    "tests/fmi/fmus.py",
    "tests/fmi/sources.py",
    "tests/cli/solvers.py",
    "tests/cli/study.py",
}


def scripts(folder, kind, alone):
    def test(file):
        def run(parts):
            rc, out = in_empty_folder(
                [sys.executable, path(file), path(folder, "kairos"), *(parts or [])], environment()
            )
            return None if rc == 0 else tail(out)

        return Test(
            file,
            run,
            folder,
            parts=defined(file, r"^def (test_\w+)"),
            alone=alone,
            waits=file in WAITING,
            long=file in LONG,
        )

    return [test(f) for f in found("tests/%s/*.py" % kind) if os.path.basename(f) != "client.py"]


@stage("the program as a user calls it (tests/cli)")
def cli(args, folder="build-test"):
    yield from scripts(folder, "cli", alone=False)


@stage(
    "families of models of the papers with other numbers, against integrators of our own "
    "(tests/papers)"
)
def papers(args, folder="build-test"):
    yield from scripts(folder, "papers", alone=False)


# Scripts of tests/fmi that need something of others, in the folder that the variable names.
FMI_OTHERS = {
    "tests/fmi/schemas.py": "KAIROS_FMI_STANDARD",
    "tests/fmi/in_fmpy.py": "KAIROS_FMPY",
    "tests/fmi/in_fmusim.py": "KAIROS_FMUSIM",
    "tests/fmi/library_models.py": "KAIROS_MSL",
    "tests/fmi/reference_fmus.py": "KAIROS_REFERENCE_FMUS",
}


def only_with(variable, test):
    def run(parts):
        if not os.environ.get(variable):
            raise Skip("%s does not name a folder (tests/README.md)" % variable)
        return test.run(parts)

    return dataclasses.replace(test, run=run)


@stage("FMUs of the examples in an importer of our own (tests/fmi), and by variables in others")
def fmi(args, folder="build-test"):
    for test in scripts(folder, "fmi", alone=False):
        if test.name in FMI_OTHERS:
            test = only_with(FMI_OTHERS[test.name], test)
        yield dataclasses.replace(test, targets=("kairos-cli", "fmi_importer"))


@stage("the studio's server over sockets (tests/studio)")
def studio(args, folder="build-test"):
    yield from scripts(folder, "studio", alone=True)


@stage("the Python package, with the system's Python (tests/python)")
def python(args, folder="build-test"):
    def test(file):
        def run(parts):
            env = environment(
                PYTHONPATH=path("python"),
                KAIROS_LIBRARY=path(folder, "libkairos.so.0"),
                MPLBACKEND="Agg",
            )
            chosen = [path(file) + "::" + part for part in parts or []] or [path(file)]
            words = ["/usr/bin/python3", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
            rc, out = in_empty_folder([*words, "--basetemp=runs", *chosen], env)
            return None if rc == 0 else tail(out)

        targets = ("kairos_shared", "kairos-cli")
        return Test(file, run, folder, targets, defined(file, r"^def (test_\w+)"))

    yield from map(test, found("tests/python/test_*.py"))


def servers(args, folder):
    yield from scripts(folder, "language", alone=False)


@stage("the servers for editors and agents, driven by clients (tests/language)")
def language(args, folder="build-test"):
    yield from servers(args, folder)

    def vscode(parts):
        error = node_packages("editors/vscode")
        if error:
            return error
        place = path("build-web/editors/vscode")
        rc, out = call(["node", "build.mjs"], cwd=place)
        if not rc:
            env = environment(KAIROS=path(folder, "kairos"))
            rc, out = call(["node", "--test", "test/"], cwd=place, env=env)
        return failures(out) if rc else None

    yield Test("editors/vscode", vscode, folder)


@stage("what `make install` installs, used by other projects, and its error messages")
def install(args):
    for test in scripts("build-test", "install", alone=True):
        yield dataclasses.replace(test, targets=("installable",))


@functools.cache
def node_packages(name):
    """Copies a folder with a lock file to a build folder and installs its packages if the lock file
    has changed. Returns an error or None."""
    source, folder = path(name), path("build-web", name)

    def text(folder, name):
        file = os.path.join(folder, name)
        return open(file).read() if os.path.exists(file) else None

    changed = text(folder, "node_modules/.package-lock.json") is None or text(
        folder, "package-lock.json"
    ) != text(source, "package-lock.json")
    shutil.copytree(source, folder, dirs_exist_ok=True)
    rc, out = call(["npm", "ci", "--no-audit", "--no-fund"], cwd=folder) if changed else (0, "")
    return tail(out) if rc else None


@functools.cache
def browser_packages():
    """The browser and the packages of its tests. Returns an error or None."""
    rc, out = call([path("tools/install-dependencies"), "browser"])
    return out if rc else node_packages("tests/browser")


def failures(tap):
    """The failures in the output of node's tests."""
    parts = re.split(r"(?m)^(?=(?:not )?ok )", tap)
    return tail("".join(part for part in parts if part.startswith("not ok")) or tap)


@stage(
    "the studio's page: its types, its own tests (studio/web/test), the whole program driven "
    "in Chromium (tests/browser)"
)
def browser(args):
    """`node build-web/tests/browser/pictures.mjs` makes the pictures of docs/studio.md anew."""

    def test(file):
        def run(parts):
            chosen = ["--test-name-pattern=^%s$" % re.escape(part) for part in parts or []]
            return command(
                "node",
                *chosen,
                "--test",
                path("build-web", file),
                error=failures,
                env=lambda: environment(KAIROS=path("build-test/kairos"))
            )(parts)

        return Test(
            file,
            run,
            "build-test",
            parts=defined(file, r"^test\('([^'\\]*)'"),
            prepare=browser_packages,
        )

    yield Test(
        "studio/web/jsconfig.json",
        command(
            path("build-web/tests/browser/node_modules/.bin/tsc"),
            "-p",
            path("build-web/studio/web/jsconfig.json"),
        ),
        "build-test",
        prepare=browser_packages,
    )
    yield from map(test, found("studio/web/test/*.test.js", "tests/browser/*.test.js"))


@stage("random circuits, and every method on models of variable structure, agree with each other")
def circuits(args):
    """A short run; `tests/circuits.py build-test/kairos --count 5000` is a long one."""
    for name, options in (
        ("circuits/any", ["--count", "40"]),
        ("circuits/built", ["--count", "20", "--built"]),
        ("circuits/joined", ["--count", "10", "--joined"]),
    ):
        yield Test(
            name,
            command(sys.executable, path("tests/circuits.py"), path("build-test/kairos"), *options),
            "build-test",
        )
    yield Test(
        "circuits/methods",
        command(sys.executable, path("tests/methods.py"), path("build-test/kairos")),
        "build-test",
    )


FAULTY = ("simulate", "mat", "save", "format", "lib")  # all their calls of the system
CAMPAIGN = {  # short forms; `make campaign` runs for as long as asked, and goes on
    "agreement": ["--count", "10"],
    "faults": [w for c in FAULTY for w in ("--only", c)],
    "kills": ["--seconds", "8"],
    "load": ["--seconds", "5", "--clients", "20"],
    "requests": ["--count", "400"],
    "determinism": ["--count", "3"],
}


@stage("random models, failing calls of the system, signals and load (tests/campaign), for a while")
def campaign(args):
    def test(name, options):
        script = "tests/campaign/%s.py" % name
        run = command(sys.executable, path(script), path("build-test/kairos"), *options)

        def run_traced(parts):
            if call(["strace", "-o", "/dev/null", "true"])[0]:
                raise Skip("strace cannot trace here")
            return run(parts)

        return Test(script, run_traced if name == "faults" else run, "build-test", alone=True)

    for name, options in CAMPAIGN.items():
        yield test(name, options)


@stage("the source archive, the Debian packages, and what they install")
def package(args):
    def run(parts):
        if not shutil.which("dpkg-buildflags"):
            raise Skip("dpkg-dev is not installed")
        rc, out = in_empty_folder([sys.executable, path("tests/package/package.py")], environment())
        return None if rc == 0 else tail(out)

    yield Test("tests/package/package.py", run, alone=True)


def some_parts(test, name, parts):
    """The test, of which only these parts are run unless others are asked for."""
    return dataclasses.replace(test, name=name, run=lambda asked: test.run(asked or parts))


SANITIZED_FMI = {  # parts to run; None: all
    "tests/fmi/fmus.py": ["test_any_order", "test_wrong_calls"],
    "tests/fmi/simulated.py": None,
    "tests/fmi/checked.py": None,
    "tests/fmi/systems.py": ["test_units"],
}


@stage(
    "unit, models, cli, studio and calls of FMUs again under AddressSanitizer and "
    "UndefinedBehaviorSanitizer",
    again=True,
)
def sanitize(args):
    for tests in (unit, models, cli, studio, servers):
        for test in tests(args, "build-asan"):
            yield dataclasses.replace(test, name="sanitize/" + test.name)
    for test in fmi(args, "build-asan"):
        if test.name in SANITIZED_FMI:
            yield some_parts(test, "sanitize/" + test.name, SANITIZED_FMI[test.name])


THREADED = {
    "tests/unit/test_api.c": ("sessions_work_side_by_side", "one_model_in_several_threads"),
    "tests/unit/test_instances.c": ("instances_in_threads",),
}


@stage("sessions and instances in several threads again, under ThreadSanitizer", again=True)
def threads(args):
    for test in unit(args, "build-threads"):
        if test.name in THREADED:
            yield some_parts(test, "threads/" + test.name, THREADED[test.name])


@stage(
    "unit, models, cli, papers, studio and the servers again, in a build that counts the branches "
    "taken (tools/coverage prints them); only by --only",
    again=True,
    asked=True,
)
def coverage(args):
    for tests in (unit, models, cli, papers, fmi, studio, servers):
        for test in tests(args, "build-coverage"):
            yield dataclasses.replace(test, name="coverage/" + test.name)


@stage(
    "mutated models (and files of the library, if KAIROS_MSL names its folder) under the "
    "sanitizers, for a while"
)
def mutants(args):
    """A short run; `build-asan/mutants --count 100000 tests/models examples` is a long one."""
    folder = os.environ.get("KAIROS_MSL")
    runs = [("mutants", ["tests/models", "examples"])]
    runs += [("msl/mutants", ["--library", folder, folder])] if folder else []
    for name, files in runs:
        yield Test(
            name,
            command(path("build-asan/mutants"), "--count", "6000", *files, print_last_line=True),
            "build-asan",
            ("mutants",),
        )


@functools.cache
def same_addresses():
    """A prefix of commands that gives the program the same addresses each time, if possible."""
    words = ["setarch", "-R"]
    return words if shutil.which("setarch") and call([*words, "true"])[0] == 0 else []


FUZZ_INPUTS = {"fuzz_run": 1000, "fuzz_flatten": 2000, "fuzz_script": 2000}  # others: 10000


@stage("each fuzzer of tests/fuzz: the same inputs each time, or others for --fuzz-seconds")
def fuzz(args):
    def extent(name):
        if args.fuzz_seconds:
            return ["-max_total_time=%d" % args.fuzz_seconds]
        # -reload=0: the clock does not decide when new inputs of the corpus are read.
        return ["-seed=1", "-reload=0", "-runs=%d" % FUZZ_INPUTS.get(name, 10000)]

    def test(source):
        name = stem(source)

        def run(parts):
            corpus, scratch = path("build-fuzz/corpus-" + name), path("build-fuzz/scratch-" + name)
            if not args.fuzz_seconds:
                shutil.rmtree(corpus, ignore_errors=True)
            for folder in (corpus, scratch):
                os.makedirs(folder, exist_ok=True)
            for f in found("tests/models/**/*.mo", "examples/*.mo", "tests/fuzz/seeds_*/*"):
                shutil.copy(path(f), os.path.join(corpus, f.replace("/", "-")))
            rc, out = call(
                [
                    *same_addresses(),
                    path("build-fuzz", name),
                    *extent(name),
                    "-timeout=60",
                    "-rss_limit_mb=4096",
                    "-max_len=4096",
                    "-dict=" + path("tests/fuzz/modelica.dict"),
                    corpus,
                ],
                env=environment(),
                cwd=scratch,
            )
            return None if rc == 0 else tail(out)

        return Test(source, run, "build-fuzz", (name,))

    # States that were forged on purpose may still take long; `make campaign` tries them.
    yield from map(test, [f for f in found("tests/fuzz/*.c") if stem(f) != "fuzz_state"])


@stage(
    "the Modelica Standard Library through the parser, if KAIROS_MSL names its folder, joined "
    "with the library Hybrid; numbers of unknowns, if KAIROS_MSL_INDEX names a list of models"
)
def msl(args):
    folder, index = os.environ.get("KAIROS_MSL"), os.environ.get("KAIROS_MSL_INDEX")

    def env():
        return os.environ

    def driver(name, *options):
        return command(
            path("tests/tools", name),
            "--library",
            folder,
            *options,
            "--kairos",
            path("build-test/kairos"),
            env=env,
            print_last_line=True
        )

    if not folder:

        def missing(parts):
            raise Skip("KAIROS_MSL does not name the folder of the Modelica Standard Library")

        yield Test("msl", missing)
        return
    yield Test(
        "msl/syntax_roundtrip",
        command(path("build-test/syntax_roundtrip"), folder, env=env, print_last_line=True),
        "build-test",
        ("syntax_roundtrip",),
    )
    yield Test("msl/hybrid", driver("hybrid_with_msl"), "build-test")
    if index:
        yield Test("msl/counts", driver("msl_counts", "--index", index), "build-test")


@stage("a new Debian 12 in a folder of its own (tools/fresh), if this machine allows it")
def fresh(args):
    def run(parts):
        if os.environ.get("KAIROS_FRESH"):
            raise Skip("this is the new system")
        if os.geteuid() != 0:
            raise Skip("it needs root")
        if call([path("tools/install-dependencies"), "fresh"])[0]:
            raise Skip("debootstrap cannot be installed")
        rc, out = call([path("tools/fresh")])
        last = (out.strip().splitlines() or [""])[-1]
        if rc == 77:
            raise Skip(last)
        print(last, flush=True)
        return tail(out) if rc else None

    yield Test("fresh", run, alone=True)
