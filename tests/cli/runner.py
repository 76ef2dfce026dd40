"""tests/run finds tests of every kind by their names."""
import os, re, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import TOP, check


def run(*arguments):
    p = subprocess.run(
        [sys.executable, os.path.join(TOP, "tests/run"), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=60,
    )
    return p.returncode, p.stdout.decode().splitlines(), p.stderr.decode()


def test_names_of_every_kind():
    rc, names, err = run("--list")
    check("listed", rc == 0 and not err, err)
    for name in (
        "format",
        "tests/unit/test_base.c",
        "tests/unit/test_base.c:maps_grow",
        "examples/BouncingBall.mo",
        "tests/models/omola/jump.om",
        "tests/cli/cli.py:test_sweep",
        "tests/studio/server.py:test_slider",
        "tests/browser/views.test.js:documentation is shown, and nothing in it acts",
        "studio/web/test/values.test.js",
        "tests/fuzz/fuzz_syntax.c",
        "circuits/any",
    ):
        check(name, name in names)
    check("each once", len(names) == len(set(names)))


def test_a_part_of_a_name():
    check("one function", run("--list", "cli.py:test_sweep")[1] == ["tests/cli/cli.py:test_sweep"])
    rc, names, _ = run("--list", "omola/jump.om", "maps_grow")
    check(
        "two names",
        names == ["tests/unit/test_base.c:maps_grow", "tests/models/omola/jump.om"],
        names,
    )
    rc, names, _ = run("--list", "--only", "sanitize", "maps_grow")
    check("of one stage", names == ["sanitize/tests/unit/test_base.c:maps_grow"], names)


def test_unknown_names():
    rc, names, err = run("test_swep", "BouncingBall")
    check("status", rc == 2 and not names, (rc, names))
    check("the nearest name", "'test_swep'" in err and "tests/cli/cli.py:test_sweep" in err, err)
    check("only what is unknown", "'BouncingBall'" not in err, err)
    check("a stage", run("--only", "modles")[0] == 2)


def test_help_names_the_stages():
    rc, lines, _ = run("--help")
    for stage in ("unit", "models", "cli", "studio", "browser", "sanitize", "fuzz"):
        check(stage, any(re.match(stage + r" +\w", line) for line in lines))


program.run_tests()
