"""Shared by the scripts of tests/cli and tests/studio.

usage of a script: SCRIPT KAIROS [FUNCTION]...

A script defines functions test_… and ends with `program.run_tests()`. Each function runs in an
empty folder of its own. It fails if it raises an exception or if one of its calls of `check`
fails."""
import os, subprocess, sys, tempfile, traceback
import solver_table

KAIROS = os.path.abspath(sys.argv[1])
TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SANITIZED = "/build-asan/" in KAIROS or "/build-threads/" in KAIROS
failed = 0


def example(name):
    """The path of a file below examples."""
    return os.path.join(TOP, "examples", name)


def check(what, condition, more=""):
    """Reports a false condition; the test continues."""
    global failed
    if not condition:
        failed += 1
        print("FAILED", what, more)


def solvers():
    """The names of all solvers, in the order of the table."""
    return list(solver_table.solvers())


def call(*arguments, timeout=120, **more):
    """Runs the program. Returns exit status, standard output, standard error."""
    p = subprocess.run(
        [KAIROS, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=timeout,
        **more
    )
    return p.returncode, p.stdout.decode("utf-8", "replace"), p.stderr.decode("utf-8", "replace")


def write(path, text, encoding="utf-8"):
    """Writes a file, and the folders above it if they are missing. Returns the path."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding=encoding) as f:
        f.write(text)
    return path


def run_test(test, before, after):
    global failed
    home, seen = os.getcwd(), failed
    with tempfile.TemporaryDirectory(prefix="kairos-test-") as folder:
        os.chdir(folder)
        try:
            if before:
                before()
            try:
                test()
            finally:
                if after:
                    after()
        except Exception:
            failed += 1
            traceback.print_exc(file=sys.stdout)
        finally:
            os.chdir(home)
    if failed > seen:
        print("in %s" % test.__name__, flush=True)


def run_tests(before=None, after=None):
    """Runs the functions test_… of the script, or those that the command line names. `before` and
    `after` run in the folder of each test. Ends the script."""
    script = sys.modules["__main__"]
    tests = {n: f for n, f in vars(script).items() if n.startswith("test_") and callable(f)}
    unknown = [n for n in sys.argv[2:] if n not in tests]
    if unknown or not tests:
        sys.exit("%s: no test function %s" % (script.__file__, ", ".join(unknown)))
    for name in sys.argv[2:] or tests:
        run_test(tests[name], before, after)
    sys.exit(1 if failed else 0)
