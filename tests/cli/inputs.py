"""kairos simulate --input: files and expressions drive inputs; inputs without values; mistakes in a
file."""
import csv, math, os, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import call, check, write

MODEL = """model Driven
  connector RealInput = input Real;
  input Real u(start = 0.25);
  RealInput w;
  input Real v[2];
  input Boolean b;
  input Integer k(start = 4);
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), d = 2*w;
  Integer n(start = 0, fixed = true);
equation
  der(x) = u;
  der(y) = if b then v[1] - v[2] else 0;
  when u > 0.75 then
    n = pre(n) + k;
  end when;
  annotation(experiment(StopTime = 4, Tolerance = 1e-9));
end Driven;
"""


def run(model, *options):
    rc, out, err = call("simulate", model, "-o", "r.csv", *options)
    rows = []
    if rc == 0:
        with open("r.csv") as f:
            rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(f)]
    return rc, rows, err


def at(rows, name, time):
    return next(r for r in rows if r["time"] >= time - 1e-12)[name]


def before():
    write("Driven.mo", MODEL)


def test_derivative():
    """der(u) is the slope of a file's piece, and the derivative of an expression."""
    write(
        "Slope.mo",
        """model Slope
  input Real u, w;
  Real x(start = 0, fixed = true), y = der(u), z = der(u^2 + w);
  Real p, v;
equation
  der(x) = y;
  p = w;
  v = der(p);
end Slope;
""",
    )
    write("in.csv", "time,u\n0,0\n1,2\n2,2\n2,5\n4,1\n")
    rc, rows, err = run(
        "Slope.mo", "--input", "in.csv", "--input", "w=sin(2*time)", "--stop-time", "4"
    )
    check("der() of driven inputs", rc == 0 and "warning" not in err, err)
    for time, slope, u in ((0.8, 2, 1.6), (1.6, 0, 2), (3.2, -2, 2.6)):
        check("slope at %g" % time, abs(at(rows, "y", time) - slope) < 1e-12)
        rate = 2 * math.cos(2 * time)
        check("rate at %g" % time, abs(at(rows, "z", time) - 2 * u * slope - rate) < 1e-9)
        check("v at %g" % time, abs(at(rows, "v", time) - rate) < 1e-9)
    check("no part of a jump", abs(rows[-1]["x"] - (2 - 4)) < 1e-6, rows[-1])
    rc, rows, err = run("Slope.mo", "--stop-time", "1")
    check("what nothing drives rests", rc == 0 and err.count("R023") == 2, err)
    check("its derivative is 0", all(r["y"] == 0 and r["v"] == 0 for r in rows))


def test_file():
    # u: 0 up to 0.5, a ramp to 1 at 1.5, a jump to -1 there, a ramp to 2 at 3, then 2
    write(
        "in.csv",
        """time,u,"v[1]",v[2],b,k
0.5,0,2,0,false,1
1.5,1,2,0,1,2
1.5,-1,5,1,1,2
3,2,5,1,0,7
""",
    )
    rc, rows, err = run("Driven.mo", "--input", "in.csv", "--input", "w=time*sin(time)")
    check("a file and an expression", rc == 0 and "warning" not in err, err)
    rc, _, err = run("Driven.mo", "--input", "in.csv", "--input", "w=0", "--log", "events")
    check("the log names the file", "next row of --input in.csv became true." in err, err)
    check("and no part of ours", "pre(" not in err and "--input1" not in err, err)
    area = 0.5 + (-1 + 2) / 2 * 1.5 + 2
    check(
        "integral of a piecewise linear input",
        abs(rows[-1]["x"] - area) < 1e-7,
        (rows[-1]["x"], area),
    )
    check(
        "integral while a Boolean input holds", abs(rows[-1]["y"] - 1.5 * 4) < 1e-7, rows[-1]["y"]
    )
    check("u crosses 0.75 twice, with the k of then", rows[-1]["n"] == 1 + 2, rows[-1]["n"])
    event = next(r["time"] for r in rows if r["n"] == 1)
    check("the first crossing at 1.25", abs(event - 1.25) < 1e-7, event)
    event = next(r["time"] for r in rows if r["n"] == 3)
    check("the second at 1.5 + 1.5*1.75/3", abs(event - (1.5 + 1.5 * 1.75 / 3)) < 1e-7, event)
    jump = [r["u"] for r in rows if r["time"] == 1.5]
    check(
        "both sides of the jump",
        len(jump) >= 2 and abs(jump[0] - 1) < 1e-9 and abs(jump[-1] + 1) < 1e-9,
        jump,
    )
    check(
        "constant before and after the file",
        rows[0]["u"] == 0 and rows[-1]["u"] == 2,
        (rows[0], rows[-1]),
    )
    check(
        "Integers are stepwise",
        at(rows, "k", 1.4) == 1 and at(rows, "k", 2.5) == 2 and at(rows, "k", 3.5) == 7,
        "",
    )
    end = rows[-1]
    check("an expression of time", abs(end["d"] - 8 * math.sin(4)) < 1e-9, end["d"])
    check(
        "nothing of the machinery is in the result",
        not any("--input" in name for name in end),
        list(end),
    )


def test_places():
    """A mistake in an expression is shown at its column of what was typed."""
    inputs = ["--input", "w=0", "--input", "v={1, 2}", "--input", "b=true"]
    inputs += ["--input", "k=1"]
    for text, place, line in (
        ("1 + foo", "1:5", "1 + foo"),
        ("sin(time))", "1:10", "sin(time))"),
        ("sin(time", "1:9", "sin(time"),
        ("1 +* 2", "1:4", "1 +* 2"),
        ("0, x = 3", "1:2", "0, x = 3"),
        ("1 +\n  foo", "2:3", "  foo"),
        ("1/0", "1:1", "1/0"),
    ):
        rc, _, err = run("Driven.mo", *inputs, "--input", "u=" + text)
        head = err[err.find("--input u:") :].splitlines() + ["", ""]
        shown = rc != 0 and head[0].startswith("--input u:%s: error[" % place)
        check("place of the mistake in %r" % text, shown and head[1] == line, err)
        check("nothing of the machinery: %r" % text, "//--" not in err, err)
    inputs = [word if word != "v={1, 2}" else "v[1]=1" for word in inputs]
    rc, _, err = run("Driven.mo", *inputs, "--input", "v[2]=2*bar")
    check("of an element", rc == 1 and "--input v[2]:1:3: error[I001]" in err, err)
    for text in ("1/0", "2 + sqrt(-1 - time)"):
        rc, _, err = run("Driven.mo", *inputs, "--input", "u=1", "--input", "v[2]=" + text)
        shown = "--input v[2]:1:1: error[R004]" in err and "\n%s\n^~" % text in err
        check("of an element, during the run: " + text, rc != 0 and shown, err)
    inputs += ["--input", "v[2]=2"]
    rc, _, err = run("Driven.mo", *inputs, "--input", "u=time // a comment")
    check("a comment in an expression", rc == 0, err)


def test_expressions():
    rc, rows, err = run(
        "Driven.mo",
        "--input",
        "v={time, 1}",
        "--input",
        "b=time > 1",
        "--input",
        "k=3",
        "--input",
        "u=if time < 2 then 0.5 else 0.8",
    )
    check(
        "arrays, Booleans and conditions by expressions",
        rc == 0 and abs(rows[-1]["y"] - (7.5 - 3)) < 1e-6 and rows[-1]["n"] == 3,
        (err, rows[-1:]),
    )
    check(
        "one warning for what is left",
        err.count("R023") == 1 and "input w" in err and "Driven.mo:4" in err,
        err,
    )
    rc, rows, err = run("Driven.mo")
    check(
        "without values all stay at their starts",
        rc == 0 and err.count("R023") == 5 and rows[-1]["u"] == 0.25 and rows[-1]["k"] == 4,
        err,
    )


def test_dymola():
    # 1993: a Dymola model
    write(
        "Lag.dym",
        "model class Lag\n  input u\n  output y\n  parameter T = 0.5\n  T*der(y) + y = u\nend\n",
    )
    rc, rows, err = run("Lag.dym", "--input", "u=3", "--stop-time", "2", "--tolerance", "1e-9")
    check(
        "an input of a .dym model",
        rc == 0 and abs(rows[-1]["y"] - 3 * (1 - math.exp(-4))) < 1e-6,
        err,
    )


def test_many_rows():
    # many rows
    with open("many.csv", "w") as f:
        f.write(
            "u,time\n"
            + "".join("%.17g,%.17g\n" % (math.sin(i / 2000), i / 2000) for i in range(8001))
        )
    rc, rows, err = run("Driven.mo", "--input", "many.csv")
    check("8000 rows", rc == 0 and abs(rows[-1]["x"] - (1 - math.cos(4))) < 1e-6, (err, rows[-1:]))


def test_errors():
    for text, words in (
        ("time,u\n0,1\n1,two\n", "bad.csv:3: 'two' is not a number"),
        ("time,u\n0,1\n2,1\n1,1\n", "bad.csv:4: the time goes back from 2 to 1"),
        ("time,u\n0,1\n1\n", "bad.csv:3: 1 values for 2 columns"),
        ("time,u\n0,1,2\n", "bad.csv:2: 3 values for 2 columns"),
        ("t,u\n0,1\n", "bad.csv:1: the first line names no column 'time'"),
        ("time,u\n", "there are no rows of values"),
        ("time,uu\n0,1\n", "bad.csv: model Driven has no input 'uu'"),
        ("time,x\n0,1\n", "bad.csv: model Driven has no input 'x'"),
        ("time,v\n0,1\n", "'v' is an array"),
        ("time,v[2]\n0,1\n", "'v[1]' is missing"),
        ("time,u,u\n0,1,2\n", "input 'u' is driven twice"),
        ("", "names no column 'time'"),
    ):
        write("bad.csv", text)
        rc, rows, err = run("Driven.mo", "--input", "bad.csv")
        check("error in %r" % text, rc == 2 and words in err, err)
    for option, words in (
        ("uu=1", "has no input 'uu'"),
        ("missing.csv", "cannot read 'missing.csv'"),
        ("u=sin(tme)", "tme"),
    ):
        rc, rows, err = run("Driven.mo", "--input", option)
        check("error of --input " + option, rc in (1, 2) and words in err, err)


program.run_tests(before)
