"""Every model that docs/rules.md names exists."""
import os, re, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import TOP, check


def test_models_exist():
    with open(os.path.join(TOP, "docs/rules.md")) as f:
        rows = "".join(line for line in f if line.startswith("|"))
    names = re.findall(r"`([\w./]+/[\w.]+)`", rows)
    check("the table is there", len(names) >= 100, len(names))
    for name in names:
        path = os.path.join(TOP, "tests/models", name)
        check("docs/rules.md names %s" % name, os.path.exists(path) or os.path.exists(path + ".mo"))


program.run_tests()
