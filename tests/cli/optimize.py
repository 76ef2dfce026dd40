"""kairos optimize against closed forms, and bad calls."""
import json, math, os, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import call, check, write

DECAY = """model M
  parameter Real a = 2, b = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -a*x;
end M;
"""


def optimize(text, minimize, over, *options, status=0):
    """The JSON and the messages."""
    model = write("M.mo", text)
    rc, out, err = call(
        "optimize", model, "--minimize", minimize, "--over", over, *options, "-o", "best.json"
    )
    check("status of " + minimize, rc == status, (rc, err))
    result = None
    if os.path.exists("best.json"):
        with open("best.json") as f:
            result = json.load(f)
        os.remove("best.json")
    return result, err


def near(what, got, wanted, tolerance):
    check(what, abs(got - wanted) <= tolerance, (got, wanted))


def test_end():
    """x(1) = exp(-a) = 1/2."""
    r, err = optimize(DECAY, "(end(x) - 0.5)^2", "a=0:5", "--tolerance", "1e-9")
    near("a", r["parameters"]["a"], math.log(2), 1e-5)
    check("members", list(r)[:3] == ["parameters", "objective", "status"], r)
    check("status", r["status"] == "converged" and r["derivatives"], r)


def test_minimum_time():
    """The fastest way to x = 1 at rest with an acceleration of 1 brakes at 1 and ends at 2."""
    text = """model M
  parameter Real T1 = 0.7, T2 = 1.7;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = if time < T1 then 1 elseif time < T2 then -1 else 0;
  annotation(experiment(StopTime = 4));
end M;
"""
    goals = ("--subject-to", "end(x) == 1", "--subject-to", "end(v) == 0")
    r, err = optimize(text, "T2", "T1=0.1:3,T2=0.1:3.9", *goals, "--report", "page.html")
    with open("page.html") as f:
        page = f.read()
    check("page", "end(x) == 1" in page and page.count("<figure>") == 3, page[:300])
    near("T1", r["parameters"]["T1"], 1, 1e-5)
    near("T2", r["objective"], 2, 1e-5)
    check("derivatives", r["derivatives"], r)


def test_end_that_moves():
    """A throw ends when it reaches the ground: the longest one, and the slowest to a distance."""
    text = """model M
  parameter Real b = 0.5, u = 12, h = 1.7, g = 9.81;
  Real x(start = 0, fixed = true), y(start = h, fixed = true);
  Real v(start = u*sin(b), fixed = true);
equation
  der(x) = u*cos(b);
  der(y) = v;
  der(v) = -g;
  when y < 0 then
    terminate("on the ground");
  end when;
  annotation(experiment(StopTime = 10));
end M;
"""
    far = math.sqrt(12**2 + 2 * 9.81 * 1.7)
    r, err = optimize(text, "-end(x)", "b=0.1:1.4")
    near("angle", r["parameters"]["b"], math.atan(12 / far), 1e-5)
    near("distance", -r["objective"], 12 / 9.81 * far, 1e-6)
    check("derivatives", r["derivatives"], r)
    # the slowest throw bisects the angle between the vertical and the line to its goal
    r, err = optimize(text, "u", "b=0.1:1.4,u=5:20", "--subject-to", "end(x) >= 15")
    line = math.hypot(15, 1.7)
    near("speed", r["objective"], math.sqrt(9.81 * (line - 1.7)), 1e-5)
    near("its angle", r["parameters"]["b"], math.atan((line - 1.7) / 15), 1e-4)


def test_time_of_event():
    """A river of width 1 and speed 1: the least way downstream is at sin = speed of the swimmer."""
    text = """model M
  parameter Real th = 0.3, s = 0.6;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Boolean there = y >= 1;
equation
  der(x) = if there then 0 else 1 - s*sin(th);
  der(y) = s*cos(th);
  annotation(experiment(StopTime = 8));
end M;
"""
    r, err = optimize(text, "end(x)", "th=-1:1.2", "--tolerance", "1e-8")
    near("direction", r["parameters"]["th"], math.asin(0.6), 1e-4)
    near("drift", r["objective"], 0.8 / 0.6, 1e-6)
    r, err = optimize(text, "time(y >= 1)", "th=-1:1.2")
    near("straight", r["parameters"]["th"], 0, 1e-4)
    near("time", r["objective"], 1 / 0.6, 1e-7)
    r, err = optimize(text, "time(y >= 1)", "th=-1:1.2", "--subject-to", "end(x) <= 1.5")
    near("on the limit", (1 - 0.6 * math.sin(r["parameters"]["th"])) * r["objective"], 1.5, 1e-4)


def test_time_between_rows():
    """x = exp(-a t) is 1/2 at log(2)/a; the model has no such relation, and few rows."""
    options = ("--intervals", "50", "--tolerance", "1e-9")
    r, err = optimize(DECAY, "(time(x <= 0.5) - 0.7)^2", "a=0.8:5", *options)
    near("rate", r["parameters"]["a"], math.log(2) / 0.7, 1e-5)
    r, err = optimize(DECAY, "-time(x <= 0.5)", "a=0.1:5", *options)
    near("slowest that arrives", r["parameters"]["a"], math.log(2), 1e-5)


def test_ripple():
    """Two RC stages with R = 1 and capacities that add to 1, at the angular frequency 10. The
    amplitude is 1/sqrt((1 - W c (1 - c))² + W (1 + c)²), W = 100, c that of the second."""
    text = """model M
  parameter Real c = 0.3;
  Real v1(start = 0, fixed = true), v2(start = 0, fixed = true), y;
equation
  (1 - c)*der(v1) = sin(10*time) - v1 - (v1 - v2);
  c*der(v2) = v1 - v2;
  y = if time > 0 then v2 else 0;
  annotation(experiment(StartTime = -15, StopTime = 2));
end M;
"""
    size = lambda c: (1 - 100 * c * (1 - c)) ** 2 + 100 * (1 + c) ** 2
    low, high = 0.3, 0.9
    for _ in range(100):
        left, right = low + 0.382 * (high - low), low + 0.618 * (high - low)
        low, high = (left, high) if size(left) < size(right) else (low, right)
    r, err = optimize(text, "max(y) - min(y)", "c=0.05:0.95", "--tolerance", "1e-8")
    near("capacity", r["parameters"]["c"], low, 1e-3)
    near("ripple", r["objective"], 2 / math.sqrt(size(low)), 1e-5)


def test_along_the_run():
    """An oscillator that must not overshoot: max(x) <= 1.1 fixes its damping."""
    text = """model M
  parameter Real d = 0.9;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = 1 - x - 2*d*v;
  annotation(experiment(StopTime = 12));
end M;
"""
    r, err = optimize(text, "d", "d=0.05:1", "--subject-to", "max(x) <= 1.1", "--tolerance", "1e-8")
    decrement = math.log(10)  # overshoot exp(-pi d/sqrt(1 - d²)) = 0.1
    near("damping", r["parameters"]["d"], decrement / math.hypot(math.pi, decrement), 1e-5)
    # the same without derivatives: an expression over the rows
    r, err = optimize(text, "d", "d=0.05:1", "--subject-to", "rms(x - x) + max(x) <= 1.1")
    near("without", r["parameters"]["d"], decrement / math.hypot(math.pi, decrement), 1e-3)
    check("no derivatives", not r["derivatives"], r)


def test_extremum_of_expression():
    """The largest x + y of x'' = -x: least if the amplitude of the sum is, at p = 0.6."""
    text = """model M
  parameter Real p = 0;
  Real x(start = 0.8, fixed = true), v(start = 0, fixed = true), y;
equation
  der(x) = v;
  der(v) = -x;
  y = (p - 0.6)*v;
  annotation(experiment(StopTime = 7));
end M;
"""
    # x + y = 0.8 cos t - 0.8 (p - 0.6) sin t, with the amplitude 0.8 sqrt(1 + (p - 0.6)^2)
    r, err = optimize(text, "max(x + y)", "p=-1:2")
    check("derivatives", r["derivatives"], r)
    near("best", r["parameters"]["p"], 0.6, 1e-3)
    near("value", r["objective"], 0.8, 1e-6)
    r, err = optimize(text, "p^2", "p=-1:2", "--subject-to", "max(x + y) >= 1")
    near("from outside", r["parameters"]["p"], -0.15, 1e-4)
    r, err = optimize(text, "-p", "p=0.7:2", "--subject-to", "max(x + y) <= 1")
    near("from inside", r["parameters"]["p"], 1.35, 1e-4)


def test_bounds_and_box():
    r, err = optimize(DECAY, "end(x)", "a=0:5")
    check("at bound", r["parameters"]["a"] == 5 and r["at_bounds"] == ["a"], r)
    wave = DECAY.replace("end M", "public\n  Real y = sin(9*a) + 0.1*(a - 2.3)^2;\nend M")
    r, err = optimize(wave, "end(y)", "a=0:5", "--global")
    best = min(range(500001), key=lambda i: math.sin(9e-5 * i) + 0.1 * (1e-5 * i - 2.3) ** 2)
    near("global", r["parameters"]["a"], 1e-5 * best, 1e-4)


def test_failures():
    """Runs fail for a < 1, and the event does not happen in time for a below the best value."""
    text = """model M
  parameter Real a = 2.9;
  Real x(start = 1, fixed = true);
  Boolean low = x <= 0.2 + 0.05*(a - 1)^4;
equation
  assert(a > 1, "a is too small");
  der(x) = -x;
  annotation(experiment(StopTime = 1.5));
end M;
"""
    r, err = optimize(text, "-time(low > 0.5)", "a=0:4")
    near("around", r["parameters"]["a"], 1 + ((math.exp(-1.5) - 0.2) / 0.05) ** 0.25, 1e-3)
    check("failures", r["failed_runs"] > 0 and "A025" in err, (r, err))
    r, err = optimize(text.replace("a > 1", "a > 9"), "end(x)", "a=0:4", status=3)
    check("never", "A024" in err and "too small" in err, err)


def test_infeasible():
    r, err = optimize(DECAY, "a", "a=0:1", "--subject-to", "end(x) <= 0.1", status=3)
    check("words", "A027" in err, err)
    near("least violation", r["parameters"]["a"], 1, 1e-4)
    check("status", r["status"] == "infeasible", r)


def test_bad_calls():
    for minimize, over, words in (
        ("end(xx)", "a=0:1", "'xx'"),
        ("maxx(x)", "a=0:1", "did you mean 'max'"),
        ("end(x) +", "a=0:1", "ends too early"),
        ("end(x)", "aa=0:1", "'aa'"),
        ("end(x)", "a=1:0", "finite bounds"),
        ("end(x)", "a=0:", "finite bounds"),
        ("end(x)", "a", "NAME=LOW:HIGH"),
    ):
        r, err = optimize(DECAY, minimize, over, status=2)
        check("%s over %s" % (minimize, over), words in err, err)
    r, err = optimize(DECAY, "end(x)", "a=0:1", "--subject-to", "end(x)", status=2)
    check("no relation", "A026" in err and "relation" in err, err)
    rc, out, err = call("optimize", "M.mo", "--over", "a=0:1")
    check("nothing to minimize", rc == 2 and "--minimize" in err, err)


program.run_tests()
