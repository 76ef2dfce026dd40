"""kairos sensitivities against closed forms and against converging central differences."""
import csv, glob, json, math, os, re, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import call, check, example, write

BALL = """model M
  parameter Real e = 0.7, g = 9.81;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  discrete Real last(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  when h <= 0 then
    reinit(v, -e*pre(v));
    last = time;
  end when;
end M;
"""


def sensitivities(text, of, to, *options):
    rc, out, err = call("sensitivities", write("M.mo", text), "--of", of, "--to", to, *options)
    check("sensitivities of %s to %s" % (of, to), rc == 0, err)
    return json.loads(out)


def near(what, got, wanted, tolerance=1e-6):
    good = got is not None and abs(got - wanted) <= tolerance * max(1, abs(wanted))
    check(what, good, (got, wanted))


def difference(f, *at):
    """The gradient of f by central differences."""
    result = []
    for i in range(len(at)):
        step = 1e-6 * max(1, abs(at[i]))
        high, low = list(at), list(at)
        high[i] += step
        low[i] -= step
        result.append((f(*high) - f(*low)) / (2 * step))
    return result


def test_smooth():
    """x' = -a x + b: value, mean and RMS in closed form."""
    text = """model M
  parameter Real a = 2, b = 3;
  Real x(start = 1, fixed = true), y = a*x;
equation
  der(x) = -a*x + b;
end M;
"""
    r = sensitivities(text, "x,y", "a,b,x.start", "--tolerance", "1e-9")
    x = lambda t: lambda a, b, s: b / a + (s - b / a) * math.exp(-a * t)
    names = ["a", "b", "x.start"]
    for k in range(0, len(r["time"]), 50):
        wanted = difference(x(r["time"][k]), 2, 3, 1)
        for name, d in zip(names, wanted):
            near("d x/d " + name, r["d"]["x"][name][k], d)
    mean = lambda a, b, s: b / a + (s - b / a) * (1 - math.exp(-a)) / a
    for name, d in zip(names, difference(mean, 2, 3, 1)):
        near("mean", r["scalars"]["mean(x)"][name], d)

    def rms(a, b, s):
        c, k = b / a, s - b / a
        return math.sqrt(
            c * c + 2 * c * k * (1 - math.exp(-a)) / a + k * k * (1 - math.exp(-2 * a)) / (2 * a)
        )

    near("rms value", r["scalars"]["rms(x)"]["value"], rms(2, 3, 1))
    for name, d in zip(names, difference(rms, 2, 3, 1)):
        near("rms", r["scalars"]["rms(x)"][name], d)
    near("min", r["scalars"]["min(x)"]["x.start"], 1)
    near("end(y)", r["scalars"]["end(y)"]["a"], difference(lambda a: a * x(1)(a, 3, 1), 2)[0])
    check("no flaw", r["flaw"] is None, r["flaw"])


def test_arrays_and_derivatives():
    """x[i]' = -a i x[i]: an array stands for its elements, and der(x) has derivatives too."""
    text = """model M
  parameter Real a = 1;
  Real x[2](each start = 1, each fixed = true), y;
equation
  for i in 1:2 loop
    der(x[i]) = -a*i*x[i];
  end for;
  y = x[1] + x[2];
end M;
"""
    write("M.mo", text)
    words = ("--of", "x,der(x[2])", "--to", "x.start,a", "--tolerance", "1e-9", "-o", "s.json")
    rc, out, err = call("sensitivities", "M.mo", *words)
    check("array", rc == 0, err)
    r = json.load(open("s.json"))["scalars"]
    near("own start value", r["end(x[2])"]["x[2].start"], math.exp(-2), 1e-7)
    near("another start value", r["end(x[2])"]["x[1].start"], 0, 1e-12)
    # d/da of -2 a exp(-2 a t) at a = t = 1
    near("slope", r["end(der(x[2]))"]["a"], 2 * math.exp(-2), 1e-7)
    rc, out, err = call("sensitivities", "M.mo", "--of", "der(y)", "--to", "a")
    check("no such derivative", rc == 2 and "does not contain 'der(y)'" in err, err)


def test_maximum():
    """The overshoot of an oscillator, wherever the steps of the solver end."""
    text = """model M
  parameter Real d = 0.5;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = 1 - x - 2*d*v;
  annotation(experiment(StopTime = 12));
end M;
"""
    top = lambda d: 1 + math.exp(-math.pi * d / math.sqrt(1 - d * d))
    for d in (0.3, 0.5, 0.58, 0.5793159221332004, 0.61):
        r = sensitivities(text, "x", "d", "--set", "d=%r" % d)
        near("overshoot", r["scalars"]["max(x)"]["value"], top(d), 1e-5)
        near("overshoot by damping", r["scalars"]["max(x)"]["d"], difference(top, d)[0], 1e-4)


def test_impacts():
    """Times of impacts of a ball: t(k) = sqrt(2 h/g) (1 + 2 e + … + 2 e^(k - 1))."""
    r = sensitivities(BALL, "h,v,last", "e,g,h.start", "--stop-time", "2")
    time = lambda k: lambda e, g, h: math.sqrt(2 * h / g) * (
        1 + 2 * sum(e**i for i in range(1, k))
    )
    check("events", len(r["events"]) >= 4, r["events"])
    impacts = r["events"]
    for k, event in enumerate(impacts, 1):
        near("time", event["time"], time(k)(0.7, 9.81, 1), 1e-9)
        for name, d in zip(["e", "g", "h.start"], difference(time(k), 0.7, 9.81, 1)):
            near("time of impact %d by %s" % (k, name), event[name], d)
    n = len(impacts)
    for name, d in zip(["e", "g", "h.start"], difference(time(n), 0.7, 9.81, 1)):
        near("sampled time by " + name, r["scalars"]["end(last)"][name], d)
    near("first event", r["scalars"]["time(1)"]["h.start"], 0.5 * math.sqrt(2 / 9.81))

    def height(e, g, h):
        tau, speed = 2 - time(n)(e, g, h), math.sqrt(2 * g * h) * e**n
        return speed * tau - g / 2 * tau * tau

    for name, d in zip(["e", "g", "h.start"], difference(height, 0.7, 9.81, 1)):
        near("height by " + name, r["scalars"]["end(h)"][name], d, 1e-5)


def test_time_events():
    """A parameter shifts a time event and the ticks of a clock."""
    text = """model M
  parameter Real T = 0.4, P = 0.3;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  discrete Real n(start = 0, fixed = true);
equation
  der(x) = if time < T then 1 else 3;
  when sample(0, P) then
    n = pre(n) + time;
  end when;
  der(y) = n;
end M;
"""
    r = sensitivities(text, "x,y,n", "T,P")
    near("switch", r["scalars"]["end(x)"]["T"], -2)
    near("switch and clock", r["scalars"]["end(x)"]["P"], 0)
    # n = P (0 + 1 + 2 + 3) = 6 P; y = P (P + 3 P) + 6 P (1 - 3 P)
    near("sum of ticks", r["scalars"]["end(n)"]["P"], 6)
    near("integral", r["scalars"]["end(y)"]["P"], 6 + 2 * (4 - 18) * 0.3)


def test_start_values_of_discrete_variables():
    """x' = -x + s + u; s grows by 1 at each sample; s.start = 2 p, u.start = q."""
    for condition in ("sample(0.05, 0.1)", "sample(0, 0.1)", "{initial(), sample(0.5, 0.1)}"):
        text = """model M
  parameter Real p = 0.2, q = 0.3;
  input Real u(start = q);
  Real x(start = 0.3, fixed = true), y = -s;
  discrete Real s(start = 2*p, fixed = true);
equation
  der(x) = -x + s + u;
  when %s then
    s = pre(s) + 1;
  end when;
end M;
""" % condition
        r = sensitivities(text, "x,s,y", "p,s.start,u.start,q", "--tolerance", "1e-8")["scalars"]
        rise = 1 - math.exp(-1)
        near("x by p", r["end(x)"]["p"], 2 * rise)
        near("x by s.start", r["end(x)"]["s.start"], rise)
        near("x by u.start", r["end(x)"]["u.start"], rise)
        near("x by q", r["end(x)"]["q"], rise)
        near("s by p", r["end(s)"]["p"], 2)
        near("y by s.start", r["end(y)"]["s.start"], -1)


def test_delay():
    """x' = -a x(t - T) with a constant past: a polynomial from step to step."""
    text = """model M
  parameter Real a = 0.7, T = 0.9, x0 = 1.3;
  Real x(start = x0, fixed = true);
equation
  der(x) = -a*delay(x, T, 2);
end M;
"""
    r = sensitivities(text, "x", "a,T,x0", "--tolerance", "1e-9", "--stop-time", "4")

    def x(t):
        def value(a, T, x0):
            terms, k = 1, 1
            while t > (k - 1) * T:
                terms += (-a) ** k * (t - (k - 1) * T) ** k / math.factorial(k)
                k += 1
            return x0 * terms

        return value

    for k in range(0, len(r["time"]), 23):
        for name, d in zip(["a", "T", "x0"], difference(x(r["time"][k]), 0.7, 0.9, 1.3)):
            near("d x(%g)/d %s" % (r["time"][k], name), r["d"]["x"][name][k], d)


def test_delayed_jumps():
    """A relay that acts with a delay: jumps of the past arrive as events, and move."""
    text = """model M
  parameter Real k = 1.1, T = 0.35, h = 0.4;
  Real x(start = 0, fixed = true), u, y, q(start = 0, fixed = true);
  Boolean up(start = true, fixed = true);
equation
  when {x > h, x < -h} then
    up = x < -h;
  end when;
  u = if up then k else -k;
  y = delay(u, T);
  der(x) = y;
  der(q) = delay(x, T)^2;
end M;
"""
    r = sensitivities(text, "x,q", "k,T,h", "--tolerance", "1e-9", "--stop-time", "6")
    names = ["k", "T", "h"]
    switch = lambda n: lambda k, T, h: h / k + n * (2 * h / k + 2 * T)
    for n in range(3):
        for which, late in ((2 * n, 0), (2 * n + 1, 1)):
            event = r["events"][which]
            time = lambda k, T, h: switch(n)(k, T, h) + late * T
            near("event", event["time"], time(1.1, 0.35, 0.4), 1e-9)
            for name, d in zip(names, difference(time, 1.1, 0.35, 0.4)):
                near("event %d by %s" % (which, name), event[name], d)
    for name, d in zip(names, difference(lambda k, T, h: h + k * T, 1.1, 0.35, 0.4)):
        near("peak by " + name, r["scalars"]["max(x)"][name], d)

    def x(t, k, T, h):
        turns = [switch(n)(k, T, h) + T for n in range(9) if switch(n)(k, T, h) + T < t]
        value, at, slope = 0, 0, k
        for turn in turns:
            value, at, slope = value + slope * (turn - at), turn, -slope
        return value + slope * (t - at)

    for name, d in zip(names, difference(lambda *p: x(6, *p), 1.1, 0.35, 0.4)):
        near("end by " + name, r["scalars"]["end(x)"][name], d)

    def q(k, T, h):  # the integral of x^2 over [0, 6 - T], in straight pieces
        ends = [0] + [switch(n)(k, T, h) + T for n in range(9)]
        ends = [t for t in ends if t < 6 - T] + [6 - T]
        values = [x(t, k, T, h) for t in ends]
        pieces = zip(zip(ends, ends[1:]), zip(values, values[1:]))
        return sum((b - a) * (u * u + u * v + v * v) / 3 for (a, b), (u, v) in pieces)

    for name, d in zip(names, difference(q, 1.1, 0.35, 0.4)):
        near("integral by " + name, r["scalars"]["end(q)"][name], d, 1e-5)


def test_extremum_at_impact():
    """The largest speed is just after an impact, which another event follows; also when delayed."""
    text = """model M
  parameter Real e = 0.8, T = 0.25, g = 9.81;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true), w;
equation
  der(h) = v;
  der(v) = -g;
  when h < 0 then
    reinit(v, -e*pre(v));
  end when;
  w = delay(v, T);
end M;
"""
    r = sensitivities(text, "v,w", "e,g,T", "--stop-time", "1")
    for name, d in zip("eg", difference(lambda e, g: e * math.sqrt(2 * g), 0.8, 9.81)):
        near("max(v) by " + name, r["scalars"]["max(v)"][name], d)
        near("max(w) by " + name, r["scalars"]["max(w)"][name], d)
    near("max(w) by T", r["scalars"]["max(w)"]["T"], 0)


def test_varying_delay():
    """The pantograph equation x' = -a x((1 - b) t): a power series. The delay begins at zero."""
    text = """model M
  parameter Real a = 0.7, b = 0.5;
  Real x(start = 1, fixed = true);
equation
  der(x) = -a*delay(x, b*time, 10);
end M;
"""

    def x(a, b):
        sum, term = 0, 1
        for k in range(40):
            sum += term
            term *= -a * 4 * (1 - b) ** k / (k + 1)
        return sum

    r = sensitivities(text, "x", "a,b", "--tolerance", "1e-9", "--stop-time", "4")
    near("x", r["scalars"]["end(x)"]["value"], x(0.7, 0.5), 1e-7)
    for name, d in zip("ab", difference(x, 0.7, 0.5)):
        near("x by " + name, r["scalars"]["end(x)"][name], d, 1e-6)


def test_modes():
    """A coil that a switch opens: the current jumps to zero and comes back as a state."""
    text = """model M
  parameter Real R = 2, L = 0.5, T = 0.3;
  Real i(start = 0), v, q(start = 0, fixed = true);
  Boolean closed = time < T or time > 0.6;
initial equation
  i = 0;
equation
  L*der(i) = 10 - R*i - v;
  0 = if closed then v else i;
  der(q) = i;
end M;
"""
    r = sensitivities(text, "q", "R,L,T", "--tolerance", "1e-9")

    def charge(R, L, T):
        one = lambda t: 10 / R * (t - L / R * (1 - math.exp(-R * t / L)))
        return one(T) + one(0.4)

    for name, d in zip("RLT", difference(charge, 2, 0.5, 0.3)):
        near("charge by " + name, r["scalars"]["end(q)"][name], d, 1e-5)


def test_switches_of_many_digits():
    """A plain run of such a circuit uses inline integration; another part is not affected."""
    text = """model M
  parameter Real y0 = 0;
  Real y(start = y0, fixed = true), v(start = 0, fixed = true), s, i, e = 10*sin(100*time);
  Boolean off(start = true);
equation
  der(y) = -y;
  off = s < 0;
  e - v = s*(if off then 1 else 1e-5);
  i = s*(if off then 1e-5 else 1);
  1e-4*der(v) = i - v/100;
end M;
"""
    r = sensitivities(text, "y", "y0", "--stop-time", "0.1")
    near("d y/d y0", r["scalars"]["end(y)"]["y0"], math.exp(-0.1))
    r = sensitivities(text, "y", "y0", "--stop-time", "0.1", "--structure", "inline")
    check("inline", r["scalars"]["end(y)"]["y0"] is None and r["flaw"], r["flaw"])


def test_rest_on_a_surface():
    """x = 1 + (u - p) t until it rests at zero."""
    text = """model M
  parameter Real u = 0.5, p = 2;
  Real x(start = 1, fixed = true);
equation
  der(x) = u - (if x > 0 then p else -p);
annotation(experiment(StopTime = 2));
end M;
"""
    r = sensitivities(text, "x", "u,p")
    check("no flaw", r["flaw"] is None, r["flaw"])
    for name, slope in (("u", 1), ("p", -1)):
        for t, d in zip(r["time"], r["d"]["x"][name]):
            if abs(t - 1 / 1.5) > 1e-6:
                near("d x/d %s at %g" % (name, t), d, slope * t if t < 1 / 1.5 else 0, 1e-6)


def test_no_derivative():
    """Grazing, and events that change their order."""
    grazing = """model M
  parameter Real p = 1;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = cos(time);
  der(y) = if p*x >= 1 then 1 else 0;
annotation(experiment(StopTime = 3));
end M;
"""
    order = """model M
  parameter Real p = 0;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = if x > 0.5 then 1 elseif x > 0.5 + p then 2 else 0;
end M;
"""
    rc, out, err = call("sensitivities", write("O.mo", order), "--of", "y", "--to", "p")
    r = json.loads(out)
    check("order", rc == 0 and "A006" in err and "order" in r["flaw"]["reason"], err)
    near("flaw time", r["flaw"]["time"], 0.5)
    check("null afterwards", r["d"]["y"]["p"][-1] is None and r["d"]["y"]["p"][0] == 0, r["d"])
    rc, out, err = call("sensitivities", write("G.mo", grazing), "--of", "y", "--to", "p")
    r = json.loads(out)
    check("grazing", r["flaw"] and "touches" in r["flaw"]["reason"], (r["events"], err))


def test_other_derivatives():
    """What has no derivative by one parameter has those by others that do not touch it."""
    order = """model M
  parameter Real p = 0, q = 3;
  Real x(start = 0.1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = if x > 0.5 then q elseif x > 0.5 + p then 2 else 0;
end M;
"""  # y(1) = q (0.5 + x.start)
    grazing = """model M
  parameter Real p = 1, q = 1;
  Real x(start = 0, fixed = true), v(start = p, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  der(y) = if x >= 1 then 5 else q + q^2;
  annotation(experiment(StopTime = 3));
end M;
"""  # y(3) = 3 (q + q^2)
    start = """model M
  parameter Real p = 0, q = 2;
  Real x(start = 1, fixed = true);
  discrete Real n(start = 0, fixed = true);
equation
  der(x) = -q*x;
  when sample(p, 0.25) then
    n = pre(n) + q*time;
  end when;
end M;
"""
    e = math.exp(-2)
    for text, of, words, at, wanted in (
        (order, "y", "order", 0.5 - 0.1, {"q": 0.6, "x.start": 3}),
        (grazing, "y", "touches", math.pi / 2, {"q": 9}),
        (start, "x", "start", 0, {"q": -e}),
    ):
        names = ",".join(["p"] + list(wanted))
        rc, out, err = call("sensitivities", write("M.mo", text), "--of", of, "--to", names)
        r = json.loads(out)
        check("flaw", rc == 0 and "A006" in err and "derivatives by p are unknown" in err, err)
        check("named", words in r["flaw"]["reason"] and r["flaw"]["to"] == ["p"], r["flaw"])
        near("time", r["flaw"]["time"], at, 1e-3)
        scalars = r["scalars"]["end(%s)" % of]
        check("null by p", scalars["p"] is None and r["d"][of]["p"][-1] is None, scalars)
        for name, d in wanted.items():
            near("by " + name, scalars[name], d, 1e-5)
            near("last row by " + name, r["d"][of][name][-1], d, 1e-5)


def test_grazing():
    """A threshold at the very peak of a motion, with and without a state; near it, derivatives
    exist. After a flaw, values go on."""
    wave = """model M
  parameter Real a = 1;
  Real x = a*sin(time), y(start = 0, fixed = true);
equation
  der(y) = if x > 1 then 2 else 1;
  annotation(experiment(StopTime = 4));
end M;
"""
    oscillator = """model M
  parameter Real a = 1, w = 3;
  Real x(start = 0, fixed = true), v(start = a*w, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -w^2*x;
  der(y) = if x >= 1 then 2 else 1;
end M;
"""

    def width(a):  # of the part of a period above 1
        return math.pi - 2 * math.asin(1 / a)

    for solver, tolerance in ((s, t) for s in ("auto", "cvode", "radau") for t in ("1e-5", "1e-8")):
        how = ("--solver", solver, "--tolerance", tolerance)
        for name, text, at in (("wave", wave, 1 / 2), ("oscillator", oscillator, 1 / 6)):
            r = sensitivities(text, "y", "a", *how)
            check("flaw of the %s" % name, r["flaw"], (how, r["scalars"]))
            near("its time", r["flaw"]["time"], at * math.pi, 1e-2)
            near("value at the end", r["scalars"]["end(y)"]["value"], r["time"][-1], 0.05)
    for a in (0.999, 1.001, 1 + 1e-7):
        r = sensitivities(wave, "y,x", "a", "--set", "a=%r" % a, "--tolerance", "1e-9")
        check("a = %g" % a, r["flaw"] is None, r["flaw"])
        d = 2 / (a * math.sqrt(a * a - 1)) if a > 1 else 0
        near("its derivative", r["scalars"]["end(y)"]["a"], d, 1e-5)
        near("value", r["scalars"]["end(y)"]["value"], 4 + (width(a) if a > 1 else 0), 1e-7)
        near("peak", r["scalars"]["max(x)"]["value"], a, 1e-8)
        near("mean", r["scalars"]["mean(x)"]["value"], a * (1 - math.cos(4)) / 4, 1e-8)
    ceiling = """model M
  parameter Real v0 = sqrt(2*9.81), e = 0.8;
  Real h(start = 0, fixed = true), v(start = v0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h > 1 then
    reinit(v, -e*pre(v));
  elsewhen h < 0 then
    reinit(v, -e*pre(v));
  end when;
  annotation(experiment(StopTime = 1.2));
end M;
"""
    r = sensitivities(ceiling, "h,v", "v0")
    v, g = math.sqrt(2 * 9.81), 9.81
    rest = 1.2 - 2 * v / g
    check("a ball just reaches the ceiling", r["flaw"], r["events"])
    near("when", r["flaw"]["time"], v / g, 1e-4)
    near("it falls again", r["scalars"]["end(h)"]["value"], 0.8 * v * rest - g / 2 * rest**2)
    r = sensitivities(ceiling, "h,v", "e")
    check("e does not matter there", r["flaw"] is None, r["flaw"])
    near("derivative by e", r["scalars"]["end(h)"]["e"], v * rest)
    r = sensitivities(ceiling, "h,v", "v0", "--set", "v0=4.45")
    check("a harder throw", r["flaw"] is None, r["flaw"])
    hit = (1 - 4.45 / math.sqrt(4.45**2 - 2 * g)) / g
    near("its impact", r["scalars"]["time(1)"]["v0"], hit)


def test_bad_input():
    path = write("M.mo", BALL)
    rc, _, err = call("sensitivities", path, "--of", "hh", "--to", "e")
    check("unknown variable", rc == 2 and "'hh'" in err and "did you mean" in err, err)
    rc, _, err = call("sensitivities", path, "--of", "h", "--to", "ee")
    check("unknown parameter", rc == 2 and "did you mean" in err, err)
    rc, _, err = call("sensitivities", path, "--of", "h", "--to", "h")
    check("not a parameter", rc == 2 and "h.start" in err, err)
    rc, _, err = call("sensitivities", path, "--of", "h")
    check("no parameters", rc == 2 and "--to" in err, err)
    sized = """model M
  parameter Integer n = 3;
  parameter Boolean b = true;
  Real x[n](each start = 1, each fixed = true);
equation
  der(x) = if b then -x else x;
end M;
"""
    rc, _, err = call("sensitivities", write("S.mo", sized), "--of", "x[1]", "--to", "n")
    check("structural", rc == 2 and "A005" in err and "structural" in err, err)
    rc, _, err = call("sensitivities", "S.mo", "--of", "x[1]", "--to", "b")
    check("Boolean", rc == 2 and "A005" in err, err)
    found = """model M
  parameter Real f(fixed = false, start = 1);
  constant Real c = 2;
  Real x(start = 1, fixed = true);
initial equation
  f^2 = 3;
equation
  der(x) = f - c*x;
end M;
"""
    rc, _, err = call("sensitivities", write("F.mo", found), "--of", "x", "--to", "f")
    check("found at the start", rc == 2 and "A005" in err and "initialization" in err, err)
    rc, _, err = call("sensitivities", "F.mo", "--of", "x", "--to", "c")
    check("constant", rc == 2 and "'c' is a constant" in err, err)


def test_sliding():
    """x2 + c x1 is held at zero from ts on: x1 = x1(ts) exp(-c (t - ts))."""
    text = """model M
  parameter Real c = 2, k = 3;
  Real x1(start = 1, fixed = true), x2(start = 0, fixed = true);
equation
  der(x1) = x2;
  der(x2) = if x2 + c*x1 > 0 then -k else k;
  annotation(experiment(StopTime = 2));
end M;
"""

    def end(c, k, start):
        ts = (-k + math.sqrt(k * k + 2 * k * c * c * start)) / (c * k)
        return (start - k * ts**2 / 2) * math.exp(-c * (2 - ts))

    r = sensitivities(text, "x1,x2", "c,k,x1.start", "--tolerance", "1e-9")
    check("no flaw", r["flaw"] is None, r["flaw"])
    near("value", r["scalars"]["end(x1)"]["value"], end(2, 3, 1))
    for name, d in zip(("c", "k", "x1.start"), difference(end, 2, 3, 1)):
        near("sliding: d x1/d " + name, r["scalars"]["end(x1)"][name], d, 1e-5)
    wanted = -end(2, 3, 1) - 2 * difference(end, 2, 3, 1)[0]
    near("d x2/d c", r["scalars"]["end(x2)"]["c"], wanted, 1e-5)


def test_constants_while_sliding():
    """y' = k (3 + u - y) with u = 1/4 on the surface x = 0; k = 2 p is computed once."""
    text = """model M
  parameter Real p = 0.5;
  Real k = 2*p, x(start = 0, fixed = true), y(start = 0, fixed = true), u;
equation
  u = if x > 0 then -1 else 1;
  der(x) = 4*u - 1;
  der(y) = k*(3 + u - y);
end M;
"""
    r = sensitivities(text, "y,k", "p", "--tolerance", "1e-9")["scalars"]
    near("y", r["end(y)"]["value"], 3.25 * (1 - math.exp(-1)), 1e-6)
    near("dy/dp", r["end(y)"]["p"], 2 * 3.25 * math.exp(-1), 1e-5)
    near("dk/dp", r["end(k)"]["p"], 2, 1e-12)


def test_stick_slip():
    """A mass on a belt, which moves it from t1 to te; after it has left the belt, its motion
    depends on te alone."""
    text = """model M
  parameter Real m = 1, k = 4, F = 0.8, u = 0.5, x0 = 0.6;
  Real x(start = x0, fixed = true), v(start = 0, fixed = true), f;
equation
  der(x) = v;
  f = if v > u then -F else F;
  m*der(v) = f - k*x;
  annotation(experiment(StopTime = 3.3));
end M;
"""

    def parts(m, k, F, u, x0):
        w, a = math.sqrt(k / m), x0 - F / k
        t1, far = (math.pi + math.asin(u / (w * a))) / w, math.sqrt(a * a - (u / w) ** 2)
        return w, t1, F / k - far, t1 + far / u

    def end(m, k, F, u, x0):
        w, _, _, te = parts(m, k, F, u, x0)
        return F / k + u / w * math.sin(w * (3.3 - te))

    def mean(m, k, F, u, x0):
        _, t1, x1, te = parts(m, k, F, u, x0)
        return (F * (t1 + 3.3 - te) + k * ((F / k) ** 2 - x1**2) / (2 * u)) / 3.3

    names, at = ["m", "k", "F", "u", "x0"], (1, 4, 0.8, 0.5, 0.6)
    r = sensitivities(text, "x,f", ",".join(names), "--tolerance", "1e-9")
    check("no flaw", r["flaw"] is None, r["flaw"])
    near("smallest force", r["scalars"]["min(f)"]["value"], -0.8, 1e-9)
    for scalar, f in (("end(x)", end), ("mean(f)", mean)):
        near(scalar, r["scalars"][scalar]["value"], f(*at))
        for name, d in zip(names, difference(f, *at)):
            near("d %s/d %s" % (scalar, name), r["scalars"][scalar][name], d, 2e-5)


def test_states_chosen_by_value():
    """A pendulum that swings through all quadrants, against its angle."""
    text = """model M
  parameter Real L = 1.2, g = 9.81, a = 2.2;
  Real x, y(start = 1), vx, vy, F;
initial equation
  x = L*sin(a);
  vx = 0;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -x*F;
  der(vy) = -y*F - g;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 3));
end M;
"""

    def end(L, g, a):
        n, w = 3000, 0
        h, f = 3 / n, lambda a: -g / L * math.sin(a)
        for _ in range(n):  # of order 4, for second derivatives that depend on the angle
            k1 = f(a)
            k2 = f(a + h / 2 * w + h * h / 8 * k1)
            k3 = f(a + h * w + h * h / 2 * k2)
            a, w = a + h * w + h * h / 6 * (k1 + 2 * k2), w + h / 6 * (k1 + 4 * k2 + k3)
        return L * math.sin(a)

    for tolerance, allowed in (("1e-7", 1e-3), ("1e-9", 1e-4)):
        r = sensitivities(text, "x", "L,g,a", "--tolerance", tolerance)
        for name, d in zip(["L", "g", "a"], difference(end, 1.2, 9.81, 2.2)):
            near("d x/d " + name, r["scalars"]["end(x)"][name], d, allowed)


def test_delayed_jump_at_the_start():
    """A jump at the first instant arrives after the delay."""
    text = """model M
  parameter Real T = 0.13;
  Real x(start = 0.1, fixed = true), u;
  discrete Real n(start = 0, fixed = true);
equation
  when sample(0, 0.5) then
    n = pre(n) + 1;
  end when;
  u = delay(n, T);
  der(x) = -x + u;
end M;
"""
    r = sensitivities(text, "x,u", "T", "--stop-time", "0.4", "--tolerance", "1e-9")
    arrival = [u for t, u in zip(r["time"], r["values"]["u"]) if abs(t - 0.13) < 1e-9]
    check("the jump arrives", arrival == [0, 1], arrival)
    end = lambda T: 0.1 * math.exp(-0.4) + 1 - math.exp(T - 0.4)
    near("x", r["scalars"]["end(x)"]["value"], end(0.13), 1e-8)
    near("d x/d T", r["scalars"]["end(x)"]["T"], -math.exp(-0.27))


def test_terminate():
    """The run ends when a ball reaches the ground: values at the end, means and spans move."""
    text = """model M
  parameter Real u = 4, h = 1.7, g = 9.81;
  Real x(start = 0, fixed = true), y(start = h, fixed = true), v(start = u, fixed = true);
equation
  der(x) = 1 + x;
  der(y) = v;
  der(v) = -g;
  when y < 0 then
    terminate("on the ground");
  end when;
annotation(experiment(StopTime = 10));
end M;
"""
    time = lambda u, h, g: (u + math.sqrt(u * u + 2 * g * h)) / g
    end = lambda *p: math.exp(time(*p)) - 1
    mean = lambda *p: (math.exp(time(*p)) - 1) / time(*p) - 1
    rms = lambda u, h, g: math.sqrt(u * u - u * g * time(u, h, g) + (g * time(u, h, g)) ** 2 / 3)
    r = sensitivities(text, "x,v", "u,h,g", "--tolerance", "1e-9")
    for name, f in (("end(x)", end), ("max(x)", end), ("mean(x)", mean), ("rms(v)", rms)):
        near(name, r["scalars"][name]["value"], f(4, 1.7, 9.81))
        for p, d in zip("uhg", difference(f, 4, 1.7, 9.81)):
            near("d %s/d %s" % (name, p), r["scalars"][name][p], d)
    check("no flaw", r["flaw"] is None, r["flaw"])


def test_event_at_the_end():
    """Whether the last sample happens depends on its period; other figures still exist."""
    text = """model M
  parameter Real T = 0.25, a = 2;
  Real x(start = 0, fixed = true);
  discrete Real n(start = 0, fixed = true);
equation
  when sample(T, T) then
    n = pre(n) + a;
  end when;
  der(x) = n;
end M;
"""
    rc, out, err = call("sensitivities", write("M.mo", text), "--of", "x,n", "--to", "T,a")
    r = json.loads(out)
    s, flaw = r["scalars"], r["flaw"]
    check("A006", rc == 0 and "at time 1" in err and flaw and "at the end" in flaw["reason"], err)
    for name in ("end(n)", "mean(n)", "max(n)"):
        check(name, s[name]["T"] is None and s[name]["a"] is not None, s[name])
    near("d n/d a", s["end(n)"]["a"], 4)
    x = lambda T, a: a * sum(1 - k * T for k in (1, 2, 3))
    check("d x/d T", s["end(x)"]["T"] is None, s["end(x)"])  # the slope differs on the sides
    near("d x/d a", s["end(x)"]["a"], difference(x, 0.25, 2)[1])


# The derivatives of VanDerPol pass values that are a million times larger than at the end.
EXACT = {"VanDerPol": ("1e-11", "1e-12")}
SHORT = {"hybrid/Buck": "2e-4"}  # it has many periods
FEW = ("Pendulum", "BouncingBall", "BuckConverter", "DiodeInductor", "events/TwoPointController")


def examples():
    """All of them; with sanitizers, which are slow, some."""
    if program.SANITIZED:
        return FEW
    found = [os.path.relpath(p, example("")) for p in glob.glob(example("**/*.mo"), recursive=True)]
    return [p[:-3] for p in sorted(found) if "/Bad" not in p and not p.startswith("python")]


def last_values(path, name, value, options):
    """Final values of a run with a parameter."""
    call("simulate", path, "--set", "%s=%r" % (name, value), "-o", "o.csv", *options)
    with open("o.csv") as f:
        return [(row) for row in csv.DictReader(f)][-1]


def parameters_of(path):
    """Real parameters with values other than zero, by their full names: two of them."""
    rc, out, _ = call("flatten", path)
    found = re.findall(r"parameter Real (\S+?)(?:\([^;]*?\))? = ([\d.eE+-]+)[; ]", out)
    return [(name.strip("'"), float(value)) for name, value in found if float(value) != 0][:2]


def states_of(path, *options):
    """At the beginning, or at the end if there are none before."""
    for at in ("0", "end"):
        rc, out, _ = call("linearize", path, "--at", at, *options)
        states = [x for x in (json.loads(out)["states"] if rc == 0 else []) if "der(" not in x]
        if states:
            return states
    return []


def test_stages():
    """An explicit method integrates derivatives in its own stages: hardly any evaluation is added,
    although they are exact inside steps too: x = s cos(w t)."""
    text = """model M
  parameter Real w = 3;
  Real x(start = 2, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -w^2*x;
end M;
"""
    path = write("M.mo", text)
    options = ("--solver", "dopri5", "--stop-time", "20", "--log", "stats", "-o")
    count = lambda *words: int(re.search(r"(\d+) evaluations", "".join(call(*words)[1:])).group(1))
    plain = count("simulate", path, *options, "r.csv")
    both = count("sensitivities", path, "--of", "x", "--to", "w,x.start", *options, "r.json")
    check("evaluations", both <= 1.3 * plain, (both, plain))
    r = json.load(open("r.json"))
    for k in range(0, len(r["time"]), 7):
        t = r["time"][k]
        near("d x(%g)/d w" % t, r["d"]["x"]["w"][k], -2 * t * math.sin(3 * t), 2e-4)
        near("d x(%g)/d x.start" % t, r["d"]["x"]["x.start"][k], math.cos(3 * t), 2e-4)


def test_stages_of_a_relaxation_oscillator():
    """Where the motion jumps, derivatives need shorter steps than the motion. They are those of the
    method itself over the same steps: the stages of Dormand and Prince with an imaginary part."""
    text = """model M
  parameter Real mu = 3;
  Real x(start = 2, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = y;
  der(y) = mu*(1 - x^2)*y - x;
end M;
"""
    stages = [
        [1 / 5],
        [3 / 40, 9 / 40],
        [44 / 45, -56 / 15, 32 / 9],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
        [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
    ]

    def end(times, mu):
        z, rates = (2, 0), lambda x, y: (y, mu * (1 - x * x) * y - x)
        for h in (b - a for a, b in zip(times, times[1:])):
            k = [rates(*z)]
            for row in stages:
                to = [z[i] + h * sum(a * f[i] for a, f in zip(row, k)) for i in (0, 1)]
                k.append(rates(*to))
            z = to
        return z[0]

    options = ("--solver", "dopri5", "--output-points", "steps", "--intervals", "1")
    for tolerance in ("1e-3", "1e-4", "1e-6"):
        r = sensitivities(
            text, "x", "mu", "--stop-time", "203.76", "--tolerance", tolerance, *options
        )
        wanted = end(sorted(set(r["time"])), 3 + 1e-30j)
        near("end at " + tolerance, r["scalars"]["end(x)"]["value"], wanted.real, 1e-9)
        near("derivative at " + tolerance, r["scalars"]["end(x)"]["mu"], wanted.imag * 1e30, 1e-9)


START = """model M
  parameter Real p = 0, q = 1, k = 2;
  Real x(start = %s, fixed = true);
  discrete Real n(start = 0, fixed = true);
equation
  der(x) = %s;
  when %s then
    n = pre(n) + 1;
  end when;
end M;
"""


def test_events_at_the_start():
    """What happens at the start does not happen if it moves before it. If it does not move, or if
    the motion goes on as it was, derivatives exist."""
    drag = "q - k*(if x > 0 then x^2 else -x^2)"
    cases = [
        (("1", "n - x", "sample(p, 0.3)"), "p", True),
        (("1", "n - x", "sample(p, 0.3)"), "q", False),
        (("1", "if time >= p then -x else 1", "false"), "p", True),
        (("q", "-k", "x < 1"), "q", True),
        (("q", "-k", "x < 1"), "k", False),
        (("0", "if x > 0 then 1 - k*x else 2 - x", "false"), "x.start", True),
        (("0", "if x > 0 then 1 - k*x else 2 - x", "false"), "k", False),
        (("0", drag, "false"), "x.start", False),
    ]
    for parts, to, flawed in cases:
        r = sensitivities(START % parts, "x", to, "--stop-time", "1", "--tolerance", "1e-9")
        said = r["flaw"] is not None and "an event at the start moves" in r["flaw"]["reason"]
        check("flaw of %s" % to, said if flawed else r["flaw"] is None, r["flaw"])
    # x' = q - k x², from rest: x = tanh(sqrt(2)) / sqrt(2), and dx/dx.start = 1 - tanh²
    near("drag", r["scalars"]["end(x)"]["x.start"], 1 / math.cosh(math.sqrt(2)) ** 2)


def test_chain():
    """A sparse linear model, whose factorization is kept from step to step, unless the rate is
    another: x' = r K x with K of second differences."""
    n, stop = 30, 6
    text = """model M
  parameter Real a = 1;
  Real x[%d](each start = 0, each fixed = true), r;
equation
  r = if time < 2 then 1 else 3*a;
  der(x[1]) = r*(x[2] - 2*x[1]);
  for i in 2:%d loop
    der(x[i]) = r*(x[i - 1] - 2*x[i] + x[i + 1]);
  end for;
  der(x[%d]) = r*(x[%d] - 2*x[%d]);
end M;
""" % (n, n - 1, n, n - 1, n)
    r = sensitivities(
        *(text, "x[4]", "x[1].start,x[9].start", "--solver", "cvode", "--tolerance", "1e-7"),
        *("--stop-time", str(stop)),
    )
    for k in (1, 9):
        wave = lambda m, i: math.sin(m * i * math.pi / (n + 1))
        rate = lambda m: 2 - 2 * math.cos(m * math.pi / (n + 1))
        for row in (0, len(r["time"]) // 4, -1):
            t = r["time"][row]
            age = t if t < 2 else 2 + 3 * (t - 2)
            terms = (wave(m, 4) * wave(m, k) * math.exp(-rate(m) * age) for m in range(1, n + 1))
            wanted = 2 / (n + 1) * sum(terms)
            what = "d x[4](%g)/d x[%d]" % (t, k)
            near(what, r["d"]["x[4]"]["x[%d].start" % k][row], wanted, 1e-6)


def test_function_that_rests_at_zero():
    """While the mass slides back, sa + 1 is zero. It changes with the crossing of v, and is no
    event of its own."""
    r = sensitivities(
        """model M
  parameter Real F = 10, mu = 0.1;
  Real v(start = -0.3, fixed = true), f, sa;
  Boolean forward(start = false, fixed = true), back(start = true, fixed = true), stuck;
equation
  der(v) = F*time - f;
  forward = pre(stuck) and sa > 1 or pre(forward) and v > 0;
  back = pre(stuck) and sa < -1 or pre(back) and v < 0;
  stuck = not (forward or back);
  f = if forward then mu elseif back then -mu else mu*sa;
  0 = if stuck then der(v) else sa - (if forward then 1 else -1);
end M;
""",
        *("v", "F,mu", "--stop-time", "1", "--tolerance", "1e-9"),
    )
    check("no flaw", r["flaw"] is None, r["flaw"])
    crossing = lambda F, mu: (math.sqrt(mu**2 + 0.6 * F) - mu) / F
    end = lambda F, mu: F / 2 * (1 - crossing(F, mu) ** 2) - mu * (1 - crossing(F, mu))
    for name, wanted in zip(("F", "mu"), difference(end, 10, 0.1)):
        near("d v/d " + name, r["scalars"]["end(v)"][name], wanted, 1e-6)


def test_bends():
    """Means of variables that bend without events are as exact as others. A minimum at a bend has
    no derivative; one that is constant up to a bend has."""
    r = sensitivities(
        """model M
  parameter Real a = 2, p = 0.3;
  Real s(start = 0, fixed = true), y, z;
equation
  der(s) = a;
  y = noEvent(abs(sin(s) - p));
  z = max(s, p) + 1;
end M;
""",
        *("y,z", "a,p", "--stop-time", "3"),
    )

    def mean(a, p):
        rise = math.asin(p)
        ends = [0] + [(x + 2 * math.pi * k) / a for k in (0, 1) for x in (rise, math.pi - rise)]
        area = lambda t: -math.cos(a * t) / a - p * t
        ends = [t for t in ends if t < 3] + [3]
        return sum(abs(area(v) - area(u)) for u, v in zip(ends, ends[1:])) / 3

    for name, wanted in zip(("a", "p"), difference(mean, 2, 0.3)):
        near("d mean(y)/d " + name, r["scalars"]["mean(y)"][name], wanted, 2e-6)
        check("min(y)", r["scalars"]["min(y)"][name] is None, r["scalars"]["min(y)"])
    near("d min(z)/d p", r["scalars"]["min(z)"]["p"], 1)


def test_differences():
    """Every example against central differences whose step shrinks, if these converge."""
    compared, names = 0, set()
    for name in examples():
        path = example(name + ".mo")
        stop = ("--stop-time", SHORT[name]) if name in SHORT else ()
        parameters, states = parameters_of(path), states_of(path, *stop)
        if not states or not parameters:
            continue
        at, of_differences = EXACT.get(name, ("1e-9", "1e-10"))
        rc, out, err = call(
            *("sensitivities", path, "--tolerance", at, "--of", ",".join(states)),
            *("--to", ",".join(p for p, _ in parameters), *stop)
        )
        if rc != 0:
            check("runs " + name, "A005" in err, err)
            continue
        r = json.loads(out)
        for p, base in parameters:
            n = compare(name, path, r, states, p, base, ("--tolerance", of_differences, *stop))
            compared += n
            names |= {name} if n else set()
    few = program.SANITIZED
    check("compared", compared >= (5 if few else 40), (compared, sorted(names)))
    wanted = set() if few else {"VanDerPol", "RLC", "Gears"}
    check("important ones", wanted <= names, sorted(names))


def compare(name, path, r, states, p, base, options):
    n, steps = 0, (1e-3, 1e-4)
    ends = lambda h: [last_values(path, p, base * (1 + k * h), options) for k in (1, -1)]
    rows = {h: ends(h) for h in steps}
    for x in states:
        d = r["scalars"]["end(%s)" % x][p]
        if d is None or x not in rows[1e-4][0]:
            continue
        quotient = lambda h: (float(rows[h][0][x]) - float(rows[h][1][x])) / (2 * h * base)
        quotients = [quotient(h) for h in steps]
        scale = abs(quotients[1]) + abs(r["scalars"]["rms(%s)" % x]["value"] / base)
        if abs(quotients[0] - quotients[1]) > 1e-4 * scale:
            continue  # no convergence
        what = "%s: d %s/d %s" % (name, x, p)
        check(what, abs(d - quotients[1]) <= 3e-4 * scale, (d, quotients))
        n += 1
    return n


program.run_tests()
