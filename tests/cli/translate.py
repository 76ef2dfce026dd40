"""kairos translate: the Modelica text of a file in an older notation gives the same result as the
file itself."""
import glob, os, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import TOP, call, check
from models import Expectations


def test_same_results():
    files = sorted(
        f
        for folder in ("tests/models", "examples")
        for suffix in ("dym", "om")
        for f in glob.glob(os.path.join(TOP, folder, "**/*." + suffix), recursive=True)
    )
    check("there are files in older notations", files)
    for path in files:
        expected = Expectations(path)
        if not expected.wants_run():
            continue
        rc, _, err = call("translate", path, "-o", "t.mo")
        check("%s is translated" % path, rc == 0, err)
        for name, source in (("a.csv", path), ("b.csv", "t.mo")):
            rc, _, err = call(
                "simulate", source, *expected.model, *expected.options, "--output", name, "--quiet"
            )
            check("%s runs" % source, rc == 0, err)
        check(
            "%s gives the same when translated" % path, open("a.csv").read() == open("b.csv").read()
        )


program.run_tests()
