"""The checker of expectations in models finds all mistakes."""
import os, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import KAIROS, check, write
import models

GOOD = "model M\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -x;\nend M;\n"


def outcome(text, name="M.mo"):
    return models.check(KAIROS, os.path.abspath(write(name, text)), dict(os.environ))


def accepted(comments, model=GOOD):
    found = outcome(comments + "\n" + model)
    check("accepted: " + comments, found is None, found)


def rejected(comments, words, model=GOOD):
    found = outcome(comments + "\n" + model)
    check("rejected: " + comments, found and words in found, found)


def test_nothing_expected():
    rejected("// A model.", "nothing is expected")
    rejected("// expect nothing", "line 1")
    accepted("// expect nothing: an example of a comment")
    rejected("// expect ok\n// expect nothing: a reason", "nothing is expected")


def test_misspelt_comments():
    for line in (
        "// expects ok",
        "// exepct ok",
        "// expect: ok",
        "// expect okay",
        "// Expect ok",
        "//expects x(1) = 3",
        "// option --stop-time 2",
        "// solver cvode",
        "// expect x(1) ~ 3",
        "// expect x(one) = 3",
        "// expect event soon",
        "// expect max x < 3",
        "// model of a ball",
        "// expect error",
    ):
        rejected("// expect ok\n" + line, "line 2, '%s'" % line[2:].strip())
    for line in (
        "  Real y; // expect ok",
        "  Real y; // eror I001",
        "  Real y; // error I001, because",
    ):
        rejected("// expect ok", "line 3", GOOD.replace("\n", "\n%s\n" % line, 1))


def test_sentences_are_no_expectations():
    accepted(
        "// expect ok\n// Expected values come from elsewhere.\n// The model and its options."
        "\n// Models like this expect nothing. See F001."
        "\n// solves the equation\n// expected values are exact\n// model-based values"
    )
    text = GOOD.replace("fixed = true)", 'fixed = true) "see // expect ok"')
    accepted("// expect ok", text)
    accepted("// expect ok", text.replace("-x;", "-x; // model order"))


def test_comments_without_effect():
    rejected("// expect ok\n// solvers cvode", "no effect")
    rejected("// expect ok\n// options --stop-time 2", "no effect")
    rejected("// expect x(1) = exp(-1) ± 1e-4 [euler 1]", "tolerance for euler")


def test_values():
    accepted("// expect x(1) = exp(-1) ± 1e-4\n// expect max x <= 1\n// expect min x >= 0.36")
    rejected("// expect x(1) = exp(-1) + 0.01 ± 1e-4", "off by")
    rejected("// expect max x <= 0.9", "max of x")
    rejected("// expect min x >= 0.4", "min of x")
    rejected("// expect y(1) = 0", "no variable y")
    rejected("// expect max y <= 0", "no variable y")
    rejected("// expect events = 1", "0 events")
    rejected("// expect event 0.5", "no event")


def test_values_that_are_no_numbers():
    nan = float("nan")

    def extremes(comment, values):
        expected = models.Expectations(write("M.mo", comment + "\n" + GOOD))
        return models.check_extremes(expected, {"x": values})

    for values in ([nan, 1], [1, nan], [1, nan, 1], [nan]):
        found = extremes("// expect max x <= 1", values)
        check("max of %s" % values, found and "not a number" in found, found)
    check("where defined", extremes("// expect max x <= 1 where defined", [nan, 1, nan]) is None)
    check(
        "above", "max of x" in (extremes("// expect max x <= 1 where defined", [nan, 2, nan]) or "")
    )
    check("nowhere defined", extremes("// expect max x <= 1 where defined", [nan]))
    expected = models.Expectations(write("M.mo", "// expect x(1) = 0 ± 1\n" + GOOD))
    check("value", models.check_values(expected, {"time": [0, 1], "x": [0, nan]}, "cvode"))


def test_warnings():
    model = "model M\n  parameter Real p;\n  Real x = p;\nend M;\n"
    rejected("// expect ok", "unexpected warning D101", model)
    accepted("// expect ok\n// expect warning D101 line 4", model)
    rejected("// expect ok\n// expect warning D101 line 3", "no warning D101", model)
    rejected("// expect warning D102", "no warning D102", model)


program.run_tests()
