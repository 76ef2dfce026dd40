"""--set: whole arrays, and messages for values that cannot be set. --log events: triggers of an
event, and the initial sides."""
import csv, math, os, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import call, check, write

MODEL = """model Arrays
  parameter Real x0[2] = {1, 2}, M[2, 2] = {{1, 0}, {0, 1}};
  Real x[2](start = x0, each fixed = true), z[3](each start = 1, each fixed = true), i = 2*x[1];
equation
  der(x) = -M*x;
  der(z) = {1, 2, 3};
  annotation(experiment(Tolerance = 1e-9));
end Arrays;
"""


def final(*options):
    rc, out, err = call("simulate", "Arrays.mo", "-o", "r.csv", *options)
    if rc:
        return rc, err
    with open("r.csv") as f:
        return rc, {k: float(v) for k, v in list(csv.DictReader(f))[-1].items()}


def before():
    write("Arrays.mo", MODEL)


def test_arrays():
    rc, row = final(
        "--set", "x0={0.5, -0.2}", "--set", "M={{2,0},{0,3}}", "--set", "z.start={5,6,7}"
    )
    check("a vector of parameters", rc == 0 and abs(row["x[1]"] - 0.5 * math.exp(-2)) < 1e-7, row)
    check("a matrix, row by row", abs(row["x[2]"] + 0.2 * math.exp(-3)) < 1e-7, row)
    check("start values", [round(row["z[%d]" % k], 7) for k in (1, 2, 3)] == [6, 8, 10], row)
    for value in ("{1}", "{1, 2, 3}", "3", "{1, 2", "{1, x}"):
        rc, err = final("--set", "x0=" + value)
        check("not a value of x0: " + value, rc == 2 and "x0" in err, err)
    rc, err = final("--set", "x0={1}")
    check("the message says how", "array of 2 elements" in err, err)


def test_messages():
    rc, err = final("--set", "i=3")
    check(
        "what is computed cannot be set",
        rc == 2 and "cannot be set" in err and "i.start" not in err,
        err,
    )
    rc, err = final("--set", "x[1]=3")
    check("a state has a start value", rc == 2 and "set 'x[1].start'" in err, err)
    write("C.mo", "model C constant Real c = 2; Real y = c; end C;\n")
    rc, out, err = call("simulate", "C.mo", "--set", "c=3", "-o", "c.csv")
    check("a constant", rc == 2 and "'c' is a constant" in err, err)


def test_event_log():
    write(
        "Chain.om",
        """Chain ISA Model WITH
  q TYPE DISCRETE Integer := 1;
  x TYPE Real := -1;
  A TYPE Row [2];
  Go, Init ISAN Event;
  x' = 1;
  A[1] = x - 0.5;
  A[2] = -x;
  WHEN A[q] >= 0 DO NEW(q) := 2; NEW(x) := 0.25; END;
  WHEN Init DO schedule(Go, 0.75); END;
END;
""",
    )
    rc, out, err = call(
        "simulate", "Chain.om", "--stop-time", "2", "-o", "r.csv", "--log", "events"
    )
    check(
        "the side at the start",
        "Expression A[pre(q)] is initially -1.5 (< 0): A[pre(q)] >= 0 is false" in err,
        err,
    )
    check("the side at the event, whatever its actions do", "A[pre(q)] >= 0 is true" in err, err)
    check("a scheduled event", "Time event: time >= pre('Go due') became true" in err, err)
    check("no lists of due times", "Go list" not in err and "nan" not in err, err)
    check("no signals of clauses", "event1" not in err and "Go now" not in err, err)


def test_parameters_choose_one_state_twice():
    """Two new values for one state at an instant are an error with both places."""
    write(
        "Two.mo",
        """model Two
  parameter Integer j = 2, k = 3;
  Real x[3](each start = 0, each fixed = true);
equation
  der(x) = {1, 1, 1};
  when time > 0.5 then
    reinit(x[j], 10);
    reinit(x[k], 20);
  end when;
end Two;
""",
    )
    rc, _, err = call("simulate", "Two.mo", "--quiet")
    check("different states", rc == 0, err)
    rc, _, err = call("simulate", "Two.mo", "--quiet", "--set", "k=2")
    check("the same", rc == 3 and "Two.mo:8:5: error[D009]" in err, err)
    check("its name", "reinitializes x[2] twice at time = 0.5" in err, err)
    check("the other", "Two.mo:7:5: note: the first reinit is here" in err, err)


program.run_tests(before)
