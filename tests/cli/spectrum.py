"""kairos spectrum: harmonics, distortion and periods against closed forms."""
import json, math, os, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import call, check, write


def table(function, times, name="y"):
    """A result with one variable; a pair of functions makes a jump at the given time."""
    lines = ["time," + name]
    lines += ["%r,%r" % (t, y) for t in times for y in [function(t)]]
    write("r.csv", "\n".join(lines) + "\n")


def uneven(n, length):
    """Times from 0 to length with varying distances."""
    return [length * (i / n + 0.3 / n * math.sin(i) * (0 < i < n)) for i in range(n + 1)]


def spectrum(*options, variables=("y",), file="r.csv"):
    rc, _, err = call("spectrum", file, *variables, "-o", "s.json", *options)
    check("spectrum runs", rc == 0, err)
    with open("s.json", encoding="utf-8") as f:
        return json.load(f)


def near(what, value, right, tolerance):
    check(what, value is not None and abs(value - right) <= tolerance, (value, right))


def test_sines_at_uneven_times():
    w = 2 * math.pi * 50
    f = lambda t: 2 + 3 * math.cos(w * t + 0.4) + 0.5 * math.cos(3 * w * t - 1.2)
    table(f, uneven(2000, 0.2))
    s = spectrum("--harmonics", "5")
    near("frequency", s["fundamental"], 50, 1e-4)
    near("periods", s["periods"], 10, 1e-9)
    check("no window", s["window"] == "none")
    y = s["variables"]["y"]
    near("mean", y["mean"], 2, 1e-4)
    near("rms", y["rms"], math.sqrt(4 + 4.5 + 0.125), 1e-4)
    near("thd", y["thd"], 0.5 / 3, 1e-4)
    near("amplitude 1", y["harmonics"][0]["amplitude"], 3, 1e-4)
    near("phase 1", y["harmonics"][0]["phase"], math.degrees(0.4), 0.05)
    near("amplitude 2", y["harmonics"][1]["amplitude"], 0, 1e-4)
    near("amplitude 3", y["harmonics"][2]["amplitude"], 0.5, 1e-4)
    near("phase 3", y["harmonics"][2]["phase"], math.degrees(-1.2), 0.1)
    near("frequency 3", y["harmonics"][2]["frequency"], 150, 3e-4)


def test_a_square_wave_is_exact():
    """Jumps are exact: four rows a period are enough."""
    lines = ["time,y"]
    for i in range(8):
        lines += ["%r,%r" % (0.25 * i, (-1) ** i), "%r,%r" % (0.25 * (i + 1), (-1) ** i)]
    write("r.csv", "\n".join(lines) + "\n")
    y = spectrum("--frequency", "2")["variables"]["y"]
    near("thd", y["thd"], math.sqrt(math.pi**2 / 8 - 1), 1e-12)
    for k in range(1, 51):
        right = 4 / (math.pi * k) if k % 2 else 0
        near("harmonic %d" % k, y["harmonics"][k - 1]["amplitude"], right, 1e-12)
    near("rms", y["rms"], 1, 1e-14)


def test_only_whole_periods_count():
    f = lambda t: math.sin(2 * math.pi * 3 * t)
    table(f, [i / 1000 for i in range(1234)])
    s = spectrum("--period", repr(1 / 3))
    near("to", s["to"], 1.233, 1e-12)
    near("from", s["from"], 0.233, 1e-12)
    near("amplitude", s["variables"]["y"]["harmonics"][0]["amplitude"], 1, 1e-6)
    near("mean", s["variables"]["y"]["mean"], 0, 1e-6)


def test_the_period_is_not_that_of_the_largest_line():
    """Orders 3 and 4 of 10 Hz repeat after 0.1 s, not after 1/30 s."""
    f = lambda t: 2 * math.cos(60 * math.pi * t) + math.cos(80 * math.pi * t)
    table(f, uneven(3000, 1))
    s = spectrum()
    near("frequency", s["fundamental"], 10, 1e-4)
    near("order 3", s["variables"]["y"]["harmonics"][2]["amplitude"], 2, 1e-3)


def test_periods_longer_than_a_dozen_lines():
    """50 and 318 Hz repeat with 2 Hz, 50, 60 and 75 Hz with 5 Hz; irrational ratios never."""
    for tones, stop, wanted in (
        ([(50, 1), (318, 0.5)], 1.3, 2),
        ([(50, 1), (60, 0.5), (75, 0.1)], 1, 5),
        ([(50, 1), (50 * math.sqrt(2), 0.5)], 1, None),
    ):
        with open("tones.csv", "w") as f:
            f.write("time,x\n")
            for k in range(int(stop * 8000) + 1):
                t = k / 8000
                x = sum(a * math.sin(2 * math.pi * w * t) for w, a in tones)
                f.write("%r,%r\n" % (t, x))
        rc, _, err = call("spectrum", "tones.csv", "x", "-o", "s.json", "--harmonics", "200")
        s = json.load(open("s.json"))
        check("spectrum", rc == 0, err)
        if wanted is None:
            check("not periodic", s["window"] == "hann", s["fundamental"])
            continue
        check("fundamental", s["window"] == "none", s["window"])
        check("frequency", abs(s["fundamental"] - wanted) < 1e-6, s["fundamental"])
        lines = {round(l["frequency"]): l["amplitude"] for l in s["variables"]["x"]["harmonics"]}
        for w, a in tones:
            check("line", abs(lines[w] - a) < 1e-4, (w, lines[w]))


def test_other_curves_are_windowed():
    f = lambda t: math.sin(2 * math.pi * 20 * t) + math.sin(2 * math.pi * 20 * math.sqrt(2) * t)
    table(f, [i / 2000 for i in range(4001)])
    s = spectrum()
    check("window", s["window"] == "hann", s["window"])
    y = s["variables"]["y"]
    check("no distortion", y["thd"] is None)
    line = {round(x["frequency"], 6): x["amplitude"] for x in y["lines"]}
    near("a line of the interval", line[20], 1, 1e-3)
    table(f, uneven(20000, 2))
    y = spectrum()["variables"]["y"]
    line = {round(x["frequency"], 6): x["amplitude"] for x in y["lines"]}
    near("the same of uneven rows", line[20], 1, 1e-3)
    near("its neighbour, half of it", line[20.5], 0.5, 2e-3)
    near("nothing far away", line[400], 0, 1e-6)


def test_a_model_with_dense_rows():
    """The current of a full-wave rectifier with a resistor: |sin| has a known series."""
    write("Wave.mo", "model Wave\n  Real y = abs(sin(2*3.14159265358979*50*time));\nend Wave;\n")
    rc, _, err = call("simulate", "Wave.mo", "--stop-time", "0.1", "--intervals", "1000")
    check("runs", rc == 0, err)
    s = spectrum("--frequency", "100", file="Wave.csv")
    y = s["variables"]["y"]
    near("mean", y["mean"], 2 / math.pi, 1e-4)  # a corner costs the square of the distance of rows
    for k in range(1, 8):
        right = 4 / math.pi / (4 * k * k - 1)
        near("harmonic %d" % k, y["harmonics"][k - 1]["amplitude"], right, 2e-4)


def test_text_and_pictures():
    table(lambda t: math.sin(2 * math.pi * t), [i / 100 for i in range(301)])
    rc, out, err = call("spectrum", "r.csv", "y")
    check("text", rc == 0 and "3 periods of 1 Hz" in out and "THD" in out, out + err)
    for ending, head in ("svg", b"<?xml"), ("png", b"\x89PNG"), ("html", b"<!"):
        rc, _, err = call("spectrum", "r.csv", "y", "--plot", "p." + ending)
        with open("p." + ending, "rb") as f:
            check(ending, rc == 0 and f.read(len(head)).lower() == head.lower(), err)


def test_bad_input():
    table(lambda t: t, [0, 1, 2])
    for arguments, status, word in (
        (["r.csv"], 2, "variable"),
        (["r.csv", "z"], 2, "U007"),
        (["r.csv", "y", "--from", "1", "--to", "5"], 2, "U030"),
        (["none.csv", "y"], 2, "U001"),
        (["r.csv", "y", "--frequency", "1", "--period", "1"], 2, "not both"),
    ):
        rc, _, err = call("spectrum", *arguments)
        check(" ".join(arguments), rc == status and word in err, (rc, err))
    write("r.csv", "time,y\n0,1\n1,nan\n2,1\n")
    rc, _, err = call("spectrum", "r.csv", "y")
    check("not a number", rc == 2 and "is not a number at time 1" in err, err)
    write("r.csv", "time,y\n0,1\n1,1\n2,1\n")
    s = spectrum()
    check("a constant has no period", s["fundamental"] is None and s["window"] == "hann")


program.run_tests()
