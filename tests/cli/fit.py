"""kairos fit: synthetic data with known truth, certified and published results, bad data."""
import json, math, os, random, signal, subprocess, sys, time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import call, check, write

BALL = """model M
  parameter Real e(min = 0, max = 1) = 0.7, g = 9.81;
  Real h(start = 1, fixed = true, unit = "m"), v(start = 0, fixed = true, unit = "m/s");
equation
  der(h) = v;
  der(v) = -g;
  when h <= 0 then
    reinit(v, -e*pre(v));
  end when;
end M;
"""
DECAY = """model M
  parameter Real a = 1, b(min = 0.5) = 1, c = 1;
  input Real u(unit = "V", start = 0);
  Real x(start = 1, fixed = true, unit = "K");
  Real y = 2*x;
equation
  der(x) = -a*x + b*u;
end M;
"""


def table(path, names, rows):
    text = [",".join(names)] + [",".join("" if x is None else repr(x) for x in r) for r in rows]
    return write(path, "\n".join(text) + "\n")


def fit(text, data, parameters, *options, status=0):
    """The JSON and the messages."""
    files = [data] if isinstance(data, str) else data
    rc, out, err = call(
        "fit", write("M.mo", text), *files, "--parameters", parameters, *options, "-o", "fit.json"
    )
    check("status of fit of " + parameters, rc == status, (rc, err))
    result = None
    if os.path.exists("fit.json"):
        with open("fit.json") as f:
            result = json.load(f)
        os.remove("fit.json")
    return result, err


def near(what, got, wanted, tolerance=1e-6):
    good = got is not None and abs(got - wanted) <= tolerance * abs(wanted)
    check(what, good, (got, wanted))


def ball(t, e, g, h):
    """The height of a ball, impact by impact."""
    v, now = 0.0, 0.0
    while True:
        flight = (v + math.sqrt(v * v + 2 * g * h)) / g
        if now + flight > t:
            s = t - now
            return h + v * s - g * s * s / 2, v - g * s
        now, v, h = now + flight, -e * (v - g * flight), 0.0


def test_impacts():
    """Restitution and gravity from heights, through 7 impacts; exact data, then noise."""
    times = [0.02 * i for i in range(120)]
    exact = [(t, ball(t, 0.8, 9.7, 1.1)[0]) for t in times]
    table("exact.csv", ["time", "h"], exact)
    r, err = fit(BALL, "exact.csv", "e,g,h.start", "--tolerance", "1e-9")
    for name, truth in (("e", 0.8), ("g", 9.7), ("h.start", 1.1)):
        near(name, r["parameters"][name]["value"], truth, 1e-7)
    members = ["parameters", "residual", "covariance", "experiments"]
    check("members", list(r)[:4] == members, list(r))
    check("order", list(r["parameters"]) == ["e", "g", "h.start"], r["parameters"])
    random.seed(5)
    table("noisy.csv", ["time", "h"], [(t, h + random.gauss(0, 0.01)) for t, h in exact])
    r, err = fit(BALL, "noisy.csv", "e,g,h.start", "--report", "page.html")
    for k, (name, truth) in enumerate((("e", 0.8), ("g", 9.7), ("h.start", 1.1))):
        p = r["parameters"][name]
        check("interval of " + name, p["low"] < p["value"] < p["high"], p)
        check("truth of " + name, abs(p["value"] - truth) < 4 * p["sigma"], p)
        near("variance", r["covariance"][k][k], p["sigma"] ** 2)
        for j in range(3):
            near("symmetry", r["covariance"][k][j], r["covariance"][j][k], 1e-9)
    near("noise", r["residual"], 0.01, 0.3)
    with open("page.html") as f:
        page = f.read()
    check("page", "h.start" in page and "<circle" in page and "noisy.csv" in page, page[:200])
    known, _ = fit(BALL, "noisy.csv", "e,g,h.start", "--noise", "h=0.02")
    ratio = known["parameters"]["e"]["sigma"] / r["parameters"]["e"]["sigma"]
    near("given noise", ratio, 0.02 / (r["residual"] * math.sqrt(120 / 117)), 1e-4)
    wide, _ = fit(BALL, "noisy.csv", "e,g,h.start", "--confidence", "0.99")
    check("confidence", wide["parameters"]["e"]["low"] < r["parameters"]["e"]["low"], wide)


def test_certified():
    """Datasets of NIST with certified estimates and standard deviations."""
    growth = """model M
  parameter Real b1 = %s, b2 = %s;
  Real y(start = 0, fixed = true);
equation
  der(y) = b2*(b1 - y);
end M;
"""
    boxbod = [(0, None), (1, 109), (2, 149), (3, 149), (5, 191), (7, 213), (10, 224)]
    misra = [77.6, 10.07, 114.9, 14.73, 141.1, 17.94, 190.8, 23.93, 239.9, 29.61, 289.0, 35.18]
    misra += [332.8, 40.02, 378.4, 44.82, 434.8, 50.76, 477.3, 55.05, 536.8, 61.01, 593.1, 66.40]
    misra += [689.1, 75.47, 760.0, 81.78]
    misra = [(0, None)] + list(zip(misra[::2], misra[1::2]))
    box = ("--global", "--bounds", "b1=1:1000,b2=0.01:10")
    of_boxbod = (213.80940889, 12.354515176, 0.54723748542, 0.10455993237)
    of_misra = (238.94212918, 2.7070075241, 5.5015643181e-4, 7.2668688436e-6)
    cases = [
        (boxbod, (1, 1), box, of_boxbod, 1168.0088766),
        (boxbod, (100, 0.75), (), of_boxbod, 1168.0088766),
        (misra, (500, 1e-4), (), of_misra, 0.12455138894),
    ]
    for rows, start, options, certified, squares in cases:
        table("data.csv", ["time", "y"], rows)
        r, err = fit(growth % start, "data.csv", "b1,b2", "--tolerance", "1e-10", *options)
        for name, value, sigma in (("b1", *certified[:2]), ("b2", *certified[2:])):
            near(name, r["parameters"][name]["value"], value, 1e-5)
            near("sigma of " + name, r["parameters"][name]["sigma"], sigma, 1e-4)
        near("squares", r["sum_of_squares"], squares, 1e-6)


def test_published():
    """Isomerization of alpha-pinene (Box et al., COPS): 19.8721; methanol to hydrocarbons (COPS):
    9.02229e-3; Barnes' predators and prey; the enzyme of Bates and Watts, with the concentration
    as a driven input."""
    pinene = """model M
  parameter Real p1 = 1e-5, p2 = 1e-5, p3 = 1e-5, p4 = 1e-5, p5 = 1e-5;
  Real y1(start = 100, fixed = true), y2(start = 0, fixed = true), y3(start = 0, fixed = true);
  Real y4(start = 0, fixed = true), y5(start = 0, fixed = true);
equation
  der(y1) = -(p1 + p2)*y1;
  der(y2) = p1*y1;
  der(y3) = p2*y1 - (p3 + p4)*y3 + p5*y5;
  der(y4) = p3*y3;
  der(y5) = p4*y3 - p5*y5;
end M;
"""
    rows = [
        (0, None, None, None, None, None),
        (1230, 88.35, 7.3, 2.3, 0.4, 1.75),
        (3060, 76.4, 15.6, 4.5, 0.7, 2.8),
        (4920, 65.1, 23.1, 5.3, 1.1, 5.8),
        (7800, 50.4, 32.9, 6.0, 1.5, 9.3),
        (10680, 37.5, 42.7, 6.0, 1.9, 12.0),
        (15030, 25.9, 49.1, 5.9, 2.2, 17.0),
        (22620, 14.0, 57.4, 5.1, 2.6, 21.0),
        (36420, 4.5, 63.1, 3.8, 2.9, 25.7),
    ]
    table("pinene.csv", ["time", "y1", "y2", "y3", "y4", "y5"], rows)
    r, err = fit(pinene, "pinene.csv", "p1,p2,p3,p4,p5", "--tolerance", "1e-8")
    near("squares", r["sum_of_squares"], 19.8721, 1e-5)
    # by Gauss-Newton steps of our own with matrix exponentials
    optimum = [5.9258e-5, 2.9634e-5, 2.0473e-5, 2.7447e-4, 3.9979e-5]
    for name, value in zip(["p1", "p2", "p3", "p4", "p5"], optimum):
        near(name, r["parameters"][name]["value"], value, 2e-4)
    methanol = """model M
  parameter Real p1 = 1, p2 = 1, p3 = 1, p4 = 1, p5 = 1;
  Real y1(start = 1, fixed = true), y2(start = 0, fixed = true), y3(start = 0, fixed = true);
  Real q = (p2 + p5)*y1 + y2;
equation
  der(y1) = -(2*p2 - p1*y2/q + p3 + p4)*y1;
  der(y2) = p1*y1*(p2*y1 - y2)/q + p3*y1;
  der(y3) = p1*y1*(y2 + p5*y1)/q + p4*y1;
end M;
"""
    rows = [
        (0, 1, 0, 0),
        (0.050, 0.7085, 0.1621, 0.0811),
        (0.065, 0.5971, 0.1855, 0.0965),
        (0.080, 0.5537, 0.1989, 0.1198),
        (0.123, 0.3684, 0.2845, 0.1535),
        (0.233, 0.1712, 0.3491, 0.2097),
        (0.273, 0.1198, 0.3098, 0.2628),
        (0.354, 0.0747, 0.3576, 0.2467),
        (0.397, 0.0529, 0.3347, 0.2884),
        (0.418, 0.0415, 0.3388, 0.2757),
        (0.502, 0.0261, 0.3557, 0.3167),
        (0.553, 0.0208, 0.3483, 0.2954),
        (0.681, 0.0085, 0.3836, 0.2950),
        (0.750, 0.0053, 0.3611, 0.2937),
        (0.916, 0.0019, 0.3609, 0.2831),
        (0.937, 0.0018, 0.3485, 0.2846),
        (1.122, 0.0006, 0.3698, 0.2899),
    ]
    table("methanol.csv", ["time", "y1", "y2", "y3"], rows)
    names = ["p1", "p2", "p3", "p4", "p5"]
    r, err = fit(
        methanol,
        "methanol.csv",
        ",".join(names),
        "--bounds",
        ",".join(name + "=0:100" for name in names),
    )
    near("squares", r["sum_of_squares"], 9.02229e-3, 1e-5)
    check("bound", r["at_bounds"] == ["p5"] and "A023" in err, (r["at_bounds"], err))
    barnes = """model M
  parameter Real k1 = 1, k2 = 1, k3 = 1;
  Real y1(start = 1, fixed = true), y2(start = 0.3, fixed = true);
equation
  der(y1) = k1*y1 - k2*y1*y2;
  der(y2) = k2*y1*y2 - k3*y2;
end M;
"""
    y1 = [1.0, 1.1, 1.3, 1.1, 0.9, 0.7, 0.5, 0.6, 0.7, 0.8, 1.0]
    y2 = [0.3, 0.35, 0.4, 0.5, 0.5, 0.4, 0.3, 0.25, 0.25, 0.3, 0.35]
    table("barnes.csv", ["time", "y1", "y2"], [(0.5 * i, y1[i], y2[i]) for i in range(11)])
    r, err = fit(barnes, "barnes.csv", "k1,k2,k3", "--bounds", "k1=0:5,k2=0:5,k3=0:5")
    for name, value in (("k1", 0.861), ("k2", 2.08), ("k3", 1.815)):
        near(name, r["parameters"][name]["value"], value, 1e-3)
    enzyme = """model M
  parameter Real V = 100, K = 0.2;
  input Real c(start = 1);
  Real rate = V*c/(K + c);
end M;
"""
    c = [0.02, 0.02, 0.06, 0.06, 0.11, 0.11, 0.22, 0.22, 0.56, 0.56, 1.1, 1.1]
    rate = [76, 47, 97, 107, 123, 139, 159, 152, 191, 201, 207, 200]
    table("enzyme.csv", ["time", "c", "rate"], [(i, c[i], rate[i]) for i in range(12)])
    r, err = fit(enzyme, "enzyme.csv", "V,K")
    for name, value, sigma in (("V", 212.68, 6.947), ("K", 0.064121, 0.0082809)):
        near(name, r["parameters"][name]["value"], value, 1e-4)
        near("sigma of " + name, r["parameters"][name]["sigma"], sigma, 1e-3)


def test_experiments():
    """Two experiments with an input and a start value of their own; the number of threads does not
    matter."""
    data = []
    for k, (start, level) in enumerate([(1.0, 2.0), (3.0, -1.0), (0.5, 0.0)]):
        rows = []
        for i in range(41):
            t = 0.1 * i
            x = level * 1.5 / 0.8 + (start - level * 1.5 / 0.8) * math.exp(-0.8 * t)
            rows.append((t, x + 0.001 * math.sin(37 * i + k), level, start))
        data.append(table("data%d.csv" % k, ["time", "x", "u", "x.start"], rows))
    results = []
    for jobs in ("1", "2", "7"):
        model = write("M.mo", DECAY)
        rc, out, err = call("fit", model, *data, "--parameters", "a,b", "--jobs", jobs)
        check("fit", rc == 0, err)
        results.append(out)
    check("threads", len(set(results)) == 1, results)
    r = json.loads(results[0])
    near("a", r["parameters"]["a"]["value"], 0.8, 2e-3)
    near("b", r["parameters"]["b"]["value"], 1.5, 2e-3)
    check("experiments", [x["points"] for x in r["experiments"]] == [41, 41, 41], r["experiments"])
    check("inputs", r["experiments"][0]["inputs"] == ["u"], r["experiments"])


def decay_rows(a=0.8):
    return [(0.1 * i, math.exp(-a * 0.1 * i)) for i in range(31)]


def test_units():
    rows = [(t, 1000 * x) for t, x in decay_rows()]
    table("mk.csv", ["time", "x [mK]"], rows)
    r, err = fit(DECAY, "mk.csv", "a")
    near("converted", r["parameters"]["a"]["value"], 0.8, 1e-5)
    table("wrong.csv", ["time", "x [kg]"], rows)
    r, err = fit(DECAY, "wrong.csv", "a", status=2)
    check("wrong unit", "A020" in err and "'kg'" in err and "'K'" in err, err)
    table("offset.csv", ["time", "x [degC]"], rows)
    r, err = fit(DECAY, "offset.csv", "a", status=2)
    check("unit with an offset", "degC" in err and "convert" in err, err)


def test_weights():
    """Two columns of one variable with different noise."""
    random.seed(3)
    rows = [
        (t, x + random.gauss(0, 0.001), 2 * x + random.gauss(0, 0.3)) for t, x in decay_rows()
    ]
    table("two.csv", ["time", "x", "y"], rows)
    results = {}
    for how in ("equal", "noise", "units", "y=0", "x=1e6,y=11.1"):
        results[how], err = fit(DECAY, "two.csv", "a", "--weights", how)
    check("noise", results["noise"]["parameters"]["a"]["sigma"] < 0.01, results["noise"])
    error = lambda how: abs(results[how]["parameters"]["a"]["value"] - 0.8)
    check("weights", error("noise") < 0.004 and error("y=0") < 0.004, results)
    near("weight", results["x=1e6,y=11.1"]["experiments"][0]["columns"]["y"]["weight"], 11.1)
    wrong = (("nois", "units, equal, noise"), ("z=1", "no measured column"), ("x=-1", "positive"))
    for how, words in wrong:
        r, err = fit(DECAY, "two.csv", "a", "--weights", how, status=2)
        check("bad weight " + how, words in err, err)


def test_bad_data():
    rows = decay_rows()
    table("good.csv", ["time", "x"], rows)
    table("name.csv", ["time", "xx"], rows)
    r, err = fit(DECAY, "name.csv", "a", status=2)
    check("unknown column", "'xx'" in err and "did you mean 'x'" in err and "name.csv" in err, err)
    r, err = fit(DECAY, "good.csv", "aa", status=2)
    check("unknown parameter", "'aa'" in err and "did you mean" in err, err)
    r, err = fit(DECAY, "good.csv", "a", "--bounds", "aa=0:1", status=2)
    check("unknown bounds", "aa" in err and "did you mean 'a'" in err, err)
    r, err = fit(DECAY, "good.csv", "a", "--bounds", "a=2:1", status=2)
    check("empty bounds", "not below" in err, err)
    r, err = fit(DECAY, "good.csv", "a", "--bounds", "a", status=2)
    check("form of bounds", "NAME=LOW:HIGH" in err, err)
    r, err = fit(DECAY, "missing.csv", "a", status=2)
    check("no file", "missing.csv" in err, err)
    table("short.csv", ["time", "x"], rows[:2])
    r, err = fit(DECAY, "short.csv", "a,b,c", status=2)
    check("too few", "too few" in err and "2 measured" in err, err)
    table("u.csv", ["time", "x", "u"], [(t, x, None if t > 1 else 0.0) for t, x in rows])
    r, err = fit(DECAY, "u.csv", "a", status=2)
    check("gap in an input", "gaps" in err and "'u'" in err, err)
    write("text.csv", "time,x\n0,1\n1,abc\n")
    r, err = fit(DECAY, "text.csv", "a", status=2)
    check("not a number", "text.csv:3" in err, err)
    write("back.csv", "time,x\n0,1\n2,1\n1,1\n")
    r, err = fit(DECAY, "back.csv", "a", status=2)
    check("time goes back", "goes back" in err, err)
    rc, out, err = call("fit", "M.mo", "--parameters", "a")
    check("no data", rc == 2 and "data" in err, err)


def test_gaps():
    rows = [(t, None if i % 5 == 2 else x) for i, (t, x) in enumerate(decay_rows())]
    rows[9] = (rows[9][0], float("nan"))
    table("gaps.csv", ["time", "x"], rows)
    r, err = fit(DECAY, "gaps.csv", "a")
    near("with gaps", r["parameters"]["a"]["value"], 0.8, 1e-5)
    check("warning", "A021" in err and "7 of 31" in err and "time 0.2" in err, err)


def test_identifiability():
    """Only a ratio, and one parameter not at all."""
    text = """model M
  parameter Real m = 2, k = 3, z = 1;
  Real x(start = 1, fixed = true);
equation
  m*der(x) = -k*x;
end M;
"""
    table("data.csv", ["time", "x"], [(t, x + 0.001 * math.cos(99 * t)) for t, x in decay_rows()])
    r, err = fit(text, "data.csv", "m,k")
    p = r["parameters"]
    near("ratio", p["k"]["value"] / p["m"]["value"], 0.8, 1e-2)
    check("no intervals", p["m"]["sigma"] is None and p["k"]["high"] is None, p)
    free = r["not_identifiable"]
    check("combination", len(free) == 1 and abs(free[0]["m"] - free[0]["k"]) < 1e-6, free)
    check("words", "A022" in err and "m by 1 %, k by 1 %" in err, err)
    r, err = fit(text, "data.csv", "k,z")
    check("without effect", "'z' is not identifiable" in err, err)
    check("the other", r["parameters"]["k"]["sigma"] > 0, r)
    check("not it", r["parameters"]["z"]["sigma"] is None, r)


def test_bounds():
    table("data.csv", ["time", "x"], decay_rows())
    r, err = fit(DECAY, "data.csv", "a", "--bounds", "a=1:5")
    check("at bound", r["parameters"]["a"]["value"] == 1 and r["at_bounds"] == ["a"], r)
    check("words", "A023" in err and "lower bound 1" in err, err)


def test_no_convergence():
    """The best result so far is saved, with the status 3."""
    times = [0.02 * i for i in range(100)]
    table("data.csv", ["time", "h"], [(t, ball(t, 0.8, 9.7, 1.1)[0]) for t in times])
    r, err = fit(BALL, "data.csv", "e,g,h.start", "--most", "3", status=3)
    check("saved", r and r["status"] == "limit" and r["parameters"]["g"]["value"] > 0, r)
    check("words", "A024" in err and "not converged" in err, err)


def test_interruption():
    """Ctrl-C ends the search with its own status."""
    write("S.mo", """model S
  parameter Real k = 1, w = 50;
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = w*y - 1e-3*k*x;
  der(y) = -w*x;
end S;
""")
    table("data.csv", ["time", "x"], [(5 * i, math.cos(250.005 * i)) for i in range(1000)])
    words = [program.KAIROS, "fit", "S.mo", "data.csv", "--parameters", "k,w", "-o", "f.json"]
    p = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    time.sleep(0.5)
    p.send_signal(signal.SIGTERM)
    err = p.communicate(timeout=60)[1]
    check("interrupted", p.returncode == 130, (p.returncode, err))


def test_failures():
    """Runs fail for a > 1; steps across this border are taken back."""
    text = """model M
  parameter Real a = 0.2;
  Real x(start = 1, fixed = true);
equation
  assert(a < 1, "a is too large");
  der(x) = -a*a*a*x;
end M;
"""
    table("data.csv", ["time", "x"], [(0.1 * i, math.exp(-(0.95**3) * 0.1 * i)) for i in range(30)])
    r, err = fit(text, "data.csv", "a")
    near("a", r["parameters"]["a"]["value"], 0.95, 1e-4)
    check("failures", r["failed_runs"] > 0 and "A025" in err and "too large" in err, (r, err))
    r, err = fit(text, "data.csv", "a", "--set", "a=2", status=3)
    check("first run", "A024" in err and "first simulation fails" in err, err)
    r, err = fit(text, "data.csv", "a", "--set", "a=2", "--bounds", "a=0:3")
    near("around", r["parameters"]["a"]["value"], 0.95, 1e-4)


def test_global():
    """A frequency far away: least squares alone ends in another minimum."""
    text = """model M
  parameter Real w = 1;
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
equation
  der(x) = w*v;
  der(v) = -w*x;
end M;
"""
    table("data.csv", ["time", "x"], [(0.05 * i, math.sin(7.3 * 0.05 * i)) for i in range(120)])
    r, err = fit(text, "data.csv", "w", "--bounds", "w=0.1:20")
    check("local", abs(r["parameters"]["w"]["value"] - 7.3) > 0.1, r)
    r, err = fit(text, "data.csv", "w", "--bounds", "w=0.1:20", "--global")
    near("global", r["parameters"]["w"]["value"], 7.3, 1e-5)
    r, err = fit(text, "data.csv", "w", "--global", status=2)
    check("bounds are needed", "finite bounds" in err, err)


def test_rest():
    """Dry friction: the motion ends at rest, where derivatives are not computed."""
    text = """model M
  parameter Real mu = 0.3;
  Real v(start = 2, fixed = true);
equation
  der(v) = -mu*9.81*(if v > 0 then 1 elseif v < 0 then -1 else 0);
end M;
"""
    rows = [(0.02 * i, max(0.0, 2 - 0.4 * 9.81 * 0.02 * i)) for i in range(60)]
    table("data.csv", ["time", "v"], rows)
    r, err = fit(text, "data.csv", "mu")
    near("friction", r["parameters"]["mu"]["value"], 0.4, 1e-4)


program.run_tests()
