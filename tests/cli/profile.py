"""--log profile and --profile: counts of calls, blocks, events, steps, modes; a tree of times."""
import json, math, os, re, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import call, check, example, write

MODEL = """package P
  function low
    input Real x; output Real y;
  algorithm
    y := x;
    for i in 1:3 loop y := y + sin(y)/i; end for;
  end low;
  function high
    input Real x; output Real y;
  algorithm
    y := low(x) + low(2*x);
  end high;
  function recursive
    input Integer n; output Integer y;
  algorithm
    y := if n < 1 then 0 else recursive(n - 1) + n;
  end recursive;
  model M
    Real x(start = 1, fixed = true), z, y;
    discrete Integer n(start = 0, fixed = true), k(start = 0, fixed = true);
  equation
    der(x) = -high(x);
    y = 2*time;
    z + 0.1*z^3 = sin(time);
    when y > 1 then
      n = pre(n) + 1;
    end when;
    when sample(0.25, 0.5) then
      k = recursive(if noEvent(x > 5) then 0 else 100);
    end when;
  end M;
end P;
"""


def profile_of(*arguments):
    rc, _, err = call("simulate", *arguments, "--output", "r.csv", "--profile", "p.json", "--log",
                      "profile")
    check("simulate %s" % (arguments,), rc == 0, err)
    with open("p.json") as f:
        return json.load(f), err


def row(profile, table, name):
    rows = [r for r in profile[table] if r["name"].startswith(name)]
    check("one row %s in %s" % (name, table), len(rows) == 1, profile[table])
    return rows[0]


def calls_below(call):
    yield call
    for child in call["children"]:
        yield from calls_below(child)


def test_counts():
    """A fixed step of rk4 evaluates the derivatives four times."""
    write("P.mo", MODEL)
    p, err = profile_of("P.mo", "--stop-time", "1", "--solver", "rk4", "--step", "0.125")
    outer, inner = row(p, "functions", "P.high"), row(p, "functions", "P.low")
    derivatives = row(p, "parts", "derivatives")["calls"]
    check("four evaluations of each step", derivatives >= 4 * 8, derivatives)
    # the initialization and each event evaluate all equations as well
    check("one call each", derivatives < outer["calls"] <= derivatives + 20, (derivatives, outer))
    check("two calls each", inner["calls"] == 2 * outer["calls"], (inner, outer))
    check("place", os.path.basename(outer["file"]) == "P.mo" and outer["line"] == 8, outer)
    block = row(p, "blocks", "z, 1 after tearing")
    check("solved and iterated", 4 * 8 <= block["solved"] <= block["iterations"], block)
    relation, sample = row(p, "relations", "y > 1"), row(p, "relations", "sample(0.25, 0.5)")
    check("events", relation["events"] == 1 and sample["events"] == 2, (relation, sample))
    check("line", (relation["line"], sample["line"]) == (25, 28), (relation, sample))
    mode = row(p, "modes", "the whole model")
    check("mode", mode["visits"] == 1 and mode["events"] == 3 and mode["steps"] >= 8, mode)
    for title in ("part of the run", "block of equations", "function", "mode",
                  "relation that triggers events"):
        check("table of " + title, re.search("  %s$" % title, err, re.M), err)
    check("line of the table", re.search(r" %d  P\.high \(P\.mo:8\)$" % outer["calls"], err, re.M),
          err)


def test_limiting_state():
    """The fast oscillator limits the step, not the slow one."""
    write("Two.mo", """model Two
  Real a(start = 1, fixed = true), b(start = 0, fixed = true);
  Real c(start = 1, fixed = true), d(start = 0, fixed = true);
equation
  der(a) = 0.01*b; der(b) = -0.01*a;
  der(c) = 20*d; der(d) = -20*c;
end Two;
""")
    p, _ = profile_of("Two.mo", "--stop-time", "10", "--solver", "dopri5")
    check("names", {r["name"] for r in p["states"]} == {"c", "d"}, p["states"])
    check("lines", all(r["line"] == 3 for r in p["states"]), p["states"])
    steps = sum(r["steps"] for r in p["states"])
    check("each step is limited by one", steps == p["modes"][0]["steps"], (steps, p["modes"]))


def test_results_at_rows():
    """Assertions are checked at each step, other results are computed at rows alone."""
    write("Rows.mo", """model Rows
  function root
    input Real x; output Real y = x;
  algorithm
    for i in 1:20 loop y := y - (y + y^3 - x)/(1 + 3*y^2); end for;
  end root;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), far, unused;
equation
  der(x) = 20*v; der(v) = -20*x;
  far = 2*x;
  unused = root(x);
  assert(far < 3, "too far");
end Rows;
""")
    p, _ = profile_of("Rows.mo", "--stop-time", "10", "--intervals", "5", "--solver", "dopri5")
    steps, calls = p["modes"][0]["steps"], row(p, "functions", "Rows.root")["calls"]
    check("few calls in many steps", steps > 200 and calls <= 6 + 4, (steps, calls))
    rc, _, err = call("simulate", "Rows.mo", "--set", "v.start=1.2", "--stop-time", "10",
                      "--intervals", "5", "--output", "r.csv")
    check("assertions count between rows, too", rc == 3 and "too far" in err, err)
    exact = (math.atan2(1.2, 1) - math.acos(1.5 / math.hypot(1, 1.2))) / 20
    time = float(re.search(r"at time = ([-+.e\d]+)", err)[1])
    check("from the instant on", abs(time - exact) < 1e-6, (time, exact))


def test_derivatives_of_functions():
    """Columns of a Jacobian differentiate only the calls whose arguments depend on the column."""
    write("Roots.mo", """model Roots
  constant Integer n = 20;
  function root "y + y^3 = x, by Newton's method"
    input Real x;
    output Real y;
  protected
    Real step;
    Integer i;
  algorithm
    y := x/(1 + x*x);
    step := 1;
    i := 0;
    while abs(step) > 1e-13 and i < 50 loop
      step := (x - y - y^3)/(1 + 3*y^2);
      y := y + step;
      i := i + 1;
    end while;
  end root;
  Real x[n](each start = 1, each fixed = true), y[n], z(start = 0, fixed = true);
equation
  for i in 1:n loop
    y[i] = root(x[i]);
    der(x[i]) = -(1000 + i)*y[i] + z;
  end for;
  der(z) = sum(y) - z;
end Roots;
""")
    p, _ = profile_of("Roots.mo", "--stop-time", "1", "--solver", "cvode")
    calls = row(p, "functions", "der(Roots.root)")["calls"]
    jacobians = row(p, "parts", "Jacobians")["calls"]
    # each state has a column of its own, because z depends on all
    check("calls of a column", 20 * jacobians <= calls < 100 * jacobians, (calls, jacobians))


def test_tree():
    """A call contains those that it makes, and recursion has an end."""
    write("P.mo", MODEL)
    p, _ = profile_of("P.mo", "--stop-time", "1")
    total = 0
    for c in calls_below(p["calls"]):
        inside = sum(child["seconds"] for child in c["children"])
        check("calls take part of their caller's time", inside <= c["seconds"] + 1e-6, c)
        total += c["seconds"] - inside
    check("own times add up to the run", abs(total - p["seconds"]) < 1e-6, (total, p["seconds"]))
    recursive = row(p, "functions", "P.recursive")
    check("recursion counts once", recursive["seconds"] <= p["seconds"], recursive)
    own = sum(r["own"] for t in ("parts", "blocks", "functions") for r in p[t])
    check("own times of rows", own <= p["seconds"] + 1e-6, (own, p["seconds"]))


def test_modes():
    """Two modes of a rectifier, each visited at every change."""
    p, err = profile_of(example("HalfWaveRectifier.mo"))
    modes = {r["name"]: r for r in p["modes"]}
    check("modes", set(modes) == {"diode.off = true", "diode.off = false"}, modes)
    visits = [r["visits"] for r in modes.values()]
    check("visits", min(visits) >= 1 and abs(visits[0] - visits[1]) <= 1, modes)
    relation = row(p, "relations", "diode.s < 0")
    check("events of the diode", relation["events"] == sum(r["events"] for r in modes.values()),
          (relation, modes))


def test_same_results():
    """Measuring changes no bit, also if the model is compiled again for it."""
    write("P.mo", MODEL)
    results = []
    for options in ((), ("--profile", "p.json"), ("--profile", "p.json", "--compiler", "cc")):
        rc, _, err = call("simulate", "P.mo", "--stop-time", "5", "--output", "r.csv", *options)
        check("simulate", rc == 0, err)
        with open("r.csv", "rb") as f:
            results.append(f.read())
    check("same bytes", results[0] == results[1] == results[2], options)
    rc, _, err = call("simulate", "P.mo", "--profile", "nowhere/p.json", "--output", "r.csv")
    check("a folder that does not exist", rc == 2 and "nowhere/p.json" in err, (rc, err))


def test_failed_run():
    """A run that fails has a profile up to there."""
    write("Fails.mo", """model Fails
  Real x(start = 1, fixed = true);
equation
  der(x) = x;
  assert(x < 2, "too large");
end Fails;
""")
    rc, _, err = call("simulate", "Fails.mo", "--output", "r.csv", "--log", "profile")
    check("fails, with a profile", rc == 3 and "part of the run" in err, (rc, err))


def test_report():
    """The flame graph: a bar for each call that takes enough time, with its place."""
    write("P.mo", MODEL)
    rc, _, err = call("report", "P.mo", "--stop-time", "2000", "-o", "r.html")
    check("report", rc == 0, err)
    with open("r.html") as f:
        text = f.read()
    flames = re.search(r'<svg class="timeline flames".*?</svg>', text, re.S)[0]
    titles = re.findall(r"<g><title>(.*?)</title>", flames)
    for name in ("run: ", "solver: ", "P.high (P.mo:8): ", "P.low (P.mo:2): "):
        check("bar of " + name, any(name in t for t in titles), titles)
    bars = [[float(x) for x in b] for b in
            re.findall(r'<rect x="(\S+)" y="(\S+)" width="(\S+)"', flames)]
    check("bars within the picture", all(0 <= x and x + w <= 961 for x, _, w in bars), bars)
    rows = {}
    for x, y, w in sorted(bars, key=lambda bar: (bar[1], bar[0])):
        check("bars do not overlap", x >= rows.get(y, 0) - 0.02, (x, y, rows))
        rows[y] = x + w
    check("link to the function", re.search(r'P\.low <a class="place" href="#f\d+-L2"', text))


program.run_tests()
