"""All examples as FMUs in our own importer against `kairos simulate`."""
import os, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from client import ME_STOPS, STOPS, compare, examples, export, simulate
import program
from program import check


def try_examples(version, kind, steps):
    """A model whose structure changes may be refused, as the standard allows, if the message
    recommends co-simulation."""
    tried = 0
    for path, name in examples():
        what = "%s, FMI %d, %s" % (name, version, kind)
        fmu, messages = export(path, version, kind)
        if not fmu and kind == "me" and "--kind cs" in messages:
            continue
        stop = (ME_STOPS if kind == "me" else STOPS).get(name)
        result = simulate(path, *(["--stop-time", str(stop)] if stop else []), "--hide-protected")
        if not result:
            continue
        check("%s is exported" % what, fmu, messages)
        if not fmu:
            continue
        for text in fmu.broken_rules():
            check(what, False, text)
        for s in steps:
            compare(what, fmu, kind, result, s)
        tried += 1
    check("examples are run", tried > (2 if program.SANITIZED else 25), tried)


def test_cs_2():
    try_examples(2, "cs", ("equal",))


def test_cs_3():
    try_examples(3, "cs", ("events",))


def test_me_2():
    try_examples(2, "me", ("equal",))


def test_me_3():
    try_examples(3, "me", ("equal",))


program.run_tests()
