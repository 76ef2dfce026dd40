"""kairos steady against closed forms, matrix exponentials and published figures."""
import cmath, csv, json, math, os, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import call, check, write


def steady(text, *options):
    rc, out, err = call("steady", write("M.mo", text), *options)
    check("steady", rc == 0, err)
    r = json.loads(out)
    check("converged", r["converged"], r)
    return r


def near(what, got, wanted, tolerance=1e-6):
    good = got is not None and abs(got - wanted) <= tolerance * max(1, abs(wanted))
    check(what, good, (got, wanted))


def multipliers(r):
    return by_parts(complex(m["re"], m["im"]) for m in r["multipliers"])


def by_parts(numbers):
    return sorted(numbers, key=lambda z: (z.real, z.imag))


# ---- linear algebra of two states ----


def product(a, b):
    entry = lambda row, j: sum(row[k] * b[k][j] for k in range(len(b)))
    return [[entry(row, j) for j in range(len(b[0]))] for row in a]


def exponential(a, t):
    """exp(a*t) by scaling and squaring of the series."""
    n, halvings = len(a), 20
    x = [[a[i][j] * t / 2 ** halvings for j in range(n)] for i in range(n)]
    unit = [[float(i == j) for j in range(n)] for i in range(n)]
    result, term = [row[:] for row in unit], unit
    for k in range(1, 8):
        term = [[v / k for v in row] for row in product(term, x)]
        result = [[result[i][j] + term[i][j] for j in range(n)] for i in range(n)]
    for _ in range(halvings):
        result = product(result, result)
    return result


def affine(a, b):
    """x' = a x + b as a linear system with a constant third state."""
    return [a[0] + [b[0]], a[1] + [b[1]], [0.0, 0.0, 0.0]]


def fixed_point(m):
    """x = m x + c of the affine map [m c; 0 1], and the eigenvalues of m."""
    a, b, c, d = m[0][0] - 1, m[0][1], m[1][0], m[1][1] - 1
    det = a * d - b * c
    x = [(-m[0][2] * d + m[1][2] * b) / det, (-m[1][2] * a + m[0][2] * c) / det]
    return x, eigenvalues(m[0][0], m[0][1], m[1][0], m[1][1])


def eigenvalues(a, b, c, d):
    mean, root = (a + d) / 2, cmath.sqrt((a - d) ** 2 / 4 + b * c)
    return by_parts([mean - root, mean + root])


def same_multipliers(what, r, wanted, tolerance=1e-6):
    got = multipliers(r)
    check(what, len(got) == len(wanted), (got, wanted))
    for g, w in zip(got, wanted):
        check(what, abs(g - w) <= tolerance, (got, wanted))


# ---- driven linear systems ----


def test_forced_oscillator():
    text = """model M
  parameter Real w0 = 2, z = 0.1, w = 3;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -w0^2*x - 2*z*w0*v + cos(w*time);
end M;
"""
    r = steady(text, "--orbit", "orbit.csv")
    x = 1 / (4 - 9 + 2j * 0.1 * 2 * 3)
    check("kind", r["kind"] == "periodic" and r["stable"] and r["multiple"] == 1, r)
    near("period", r["period"], 2 * math.pi / 3, 1e-12)
    near("x", r["values"]["x"], x.real)
    near("v", r["values"]["v"], (3j * x).real)
    near("amplitude", r["figures"]["x"]["max"], abs(x))
    near("rms", r["figures"]["x"]["rms"], abs(x) / math.sqrt(2))
    poles = [-0.2 + s * 2j * math.sqrt(1 - 0.01) for s in (-1, 1)]
    wanted = [cmath.exp(p * 2 * math.pi / 3) for p in poles]
    same_multipliers("multipliers", r, by_parts(wanted))
    check("few periods", r["periods_used"] <= 6, r["periods_used"])
    near("begin", r["time"] / r["period"], round(r["time"] / r["period"]), 1e-12)
    rows = [(float(row["time"]), float(row["x"])) for row in csv.DictReader(open("orbit.csv"))]
    near("one period", rows[-1][0] - rows[0][0], r["period"], 1e-9)
    near("closed", rows[-1][1], rows[0][1])
    for t, value in rows[:: len(rows) // 20]:
        near("orbit", value, (x * cmath.exp(3j * t)).real, 1e-5)


def test_sources():
    """Two sines have a common period; a pulse counts and keeps its last instant."""
    text = """model M
  Real x(start = 0, fixed = true);
equation
  der(x) = sin(4*time) + cos(6*time) - x;
end M;
"""
    near("common period", steady(text)["period"], math.pi, 1e-12)
    text = """model M
  parameter Real period = 0.01, width = 30;
  Integer count(start = 0, fixed = true);
  Real last(start = 0, fixed = true), y, x(start = 0, fixed = true);
equation
  when integer(time/period) > pre(count) then
    count = pre(count) + 1;
    last = time;
  end when;
  y = if time < last + period*width/100 then 1 else 0;
  der(x) = y - x;
end M;
"""
    r = steady(text)
    near("period", r["period"], 0.01, 1e-12)
    check("drift", "count" not in r["values"] and "last" not in r["values"], r["values"])
    wanted = math.exp(-0.01) * (math.exp(0.003) - 1) / (1 - math.exp(-0.01))
    near("x", r["values"]["x"], wanted, 1e-7)
    near("mean", r["figures"]["x"]["mean"], 0.3, 1e-7)
    same_multipliers("multipliers", r, [math.exp(-0.01)])


def test_sampled_controller():
    text = """model M
  parameter Real T = 0.1, K = 2, Ki = 1;
  Real x(start = 0, fixed = true);
  discrete Real u(start = 0, fixed = true), xi(start = 0, fixed = true);
equation
  der(x) = -x + u;
  when sample(0, T) then
    xi = pre(xi) + Ki*T*(1 - x);
    u = K*(1 - x) + pre(xi);
  end when;
end M;
"""
    r = steady(text)
    near("period", r["period"], 0.1, 1e-12)
    near("x", r["values"]["x"], 1)
    near("integrator", r["values"]["xi"], 1)
    # after a tick: u holds, x' = u - x, then xi and u are computed anew
    e = math.exp(-0.1)
    a = [[e, 1 - e, 0], [-2 * e, -2 * (1 - e), 1], [-0.1 * e, -0.1 * (1 - e), 1]]
    got = multipliers(r)
    near("trace", sum(got).real, a[0][0] + a[1][1] + a[2][2])
    square = product(a, a)
    near("trace of the square", sum(g * g for g in got).real, sum(square[i][i] for i in range(3)))


# ---- converters ----

BUCK = """model M
  parameter Real E = 24, L = 100e-6, C = 100e-6, R = 10, d = 0.4, T = 1e-5;
  Real iL(start = 0, fixed = true), v(start = 0, fixed = true), u, is, id, s;
  Boolean off(start = true, fixed = true), on;
  discrete Real t0(start = 0, fixed = true);
equation
  when sample(0, T) then
    t0 = time;
  end when;
  on = time < t0 + d*T;
  if on then
    u = E;
  else
    is = 0;
  end if;
  iL = is + id;
  off = s < 0;
  -u = if off then s else 0;
  id = if off then 0 else s;
  L*der(iL) = u - v;
  C*der(v) = iL - v/R;
end M;
"""


def test_buck():
    """Continuous current: the product of two matrix exponentials."""
    r = steady(BUCK)
    plant = [[0.0, -1e4], [1e4, -1e3]]
    on, off = affine(plant, [24e4, 0.0]), affine(plant, [0.0, 0.0])
    x, wanted = fixed_point(product(exponential(off, 6e-6), exponential(on, 4e-6)))
    near("period", r["period"], 1e-5, 1e-12)
    near("current", r["values"]["iL"], x[0])
    near("voltage", r["values"]["v"], x[1])
    same_multipliers("multipliers", r, wanted)
    near("mean voltage", r["figures"]["v"]["mean"], 0.4 * 24, 1e-7)
    f = r["figures"]["iL"]
    near("ripple", f["max"] - f["min"], (24 - 9.6) * 0.4e-5 / 1e-4, 1e-3)
    check("few periods", r["periods_used"] <= 6 and r["stable"], r["periods_used"])
    check("sample drifts", "t0" not in r["values"], r["values"])


def test_discontinuous_current():
    """The number of states changes within the period."""
    r = steady(BUCK, "--set", "R=500", "--set", "C=1e-3")
    k = 2 * 100e-6 / (500 * 1e-5)
    ratio = 2 / (1 + math.sqrt(1 + 4 * k / 0.16))
    near("mean voltage", r["figures"]["v"]["mean"], 24 * ratio, 1e-4)
    near("mean current", r["figures"]["iL"]["mean"], r["figures"]["v"]["mean"] / 500, 1e-6)
    near("peak", r["figures"]["iL"]["max"], (24 - r["figures"]["v"]["mean"]) * 0.4e-5 / 1e-4, 1e-3)
    check("forgets the current", min(abs(m) for m in multipliers(r)) < 1e-9, r["multipliers"])
    check("few periods", r["periods_used"] <= 20 and r["stable"], r["periods_used"])


def test_boost():
    text = """model M
  parameter Real E = 12, L = 50e-6, C = 200e-6, R = 20, d = 0.4, T = 2e-5;
  Real iL(start = 0, fixed = true), v(start = 0, fixed = true), u, is, id, s;
  Boolean off(start = true, fixed = true), on;
equation
  on = mod(time, T) < d*T;
  if on then
    u = 0;
  else
    is = 0;
  end if;
  iL = is + id;
  off = s < 0;
  u - v = if off then s else 0;
  id = if off then 0 else s;
  L*der(iL) = E - u;
  C*der(v) = id - v/R;
end M;
"""
    r = steady(text, "--stop-time", "0.01")
    on = affine([[0.0, 0.0], [0.0, -250.0]], [24e4, 0.0])
    off = affine([[0.0, -2e4], [5e3, -250.0]], [24e4, 0.0])
    x, wanted = fixed_point(product(exponential(off, 12e-6), exponential(on, 8e-6)))
    near("period", r["period"], 2e-5, 1e-9)
    near("current", r["values"]["iL"], x[0])
    near("voltage", r["values"]["v"], x[1])
    same_multipliers("multipliers", r, wanted)
    near("mean of the switch", r["figures"]["u"]["mean"], 12, 1e-6)
    near("ratio", r["figures"]["v"]["mean"], 12 / 0.6, 2e-3)


def test_rectifier():
    """Half wave with a freewheeling diode: the coil takes no mean voltage."""
    text = """model M
  parameter Real V = 325, f = 50, L = 0.5, R = 10;
  constant Real pi = 3.141592653589793;
  Real i(start = 0, fixed = true), u, i1, i2, s1, s2, e = V*sin(2*pi*f*time);
  Boolean off1(start = true), off2(start = false);
equation
  off1 = s1 < 0;
  e - u = if off1 then s1 else 0;
  i1 = if off1 then 0 else s1;
  off2 = s2 < 0;
  -u = if off2 then s2 else 0;
  i2 = if off2 then 0 else s2;
  i = i1 + i2;
  L*der(i) + R*i = u;
end M;
"""
    r = steady(text)
    near("period", r["period"], 0.02, 1e-12)
    near("mean", r["figures"]["u"]["mean"], 325 / math.pi, 1e-6)
    near("rms", r["figures"]["u"]["rms"], 325 / 2, 1e-6)
    near("mean current", r["figures"]["i"]["mean"], 32.5 / math.pi, 1e-6)
    same_multipliers("multipliers", r, [math.exp(-0.4)])


# ---- stability ----


def hill(text, value):
    r = steady(text, "--set", "a=%.9g" % value)
    trace = sum(multipliers(r)).real
    near("area", (multipliers(r)[0] * multipliers(r)[1]).real, 1, 1e-6)
    check("trace and stability at %g" % value, r["stable"] == (abs(trace) <= 2 + 1e-5), r)
    return r["stable"]


def test_mathieu():
    """Characteristic values for q = 1 (Abramowitz and Stegun, table 20.1)."""
    text = """model M
  parameter Real a = 1, q = 1;
  Real x(start = 0.1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -(a - 2*q*cos(2*time))*x;
end M;
"""
    for value, stable in ((-0.45514, False), (-0.45513, True), (-0.11026, True), (-0.11024, False),
                          (1.85909, False), (1.85912, True)):
        check("Mathieu at %g" % value, hill(text, value) == stable)


def test_meissner():
    """A stiffness that jumps: the trace in closed form."""
    text = """model M
  parameter Real a = 1, e = 0.5;
  Real x(start = 0.1, fixed = true), v(start = 0, fixed = true);
  Boolean first(start = false, fixed = true);
equation
  der(x) = v;
  der(v) = -(if first then a + e else a - e)*x;
  when sample(0, 0.5) then
    first = not pre(first);
  end when;
end M;
"""
    for a in (4, 9.9, 12, 38, 45):
        p, q = math.sqrt(a + 0.5), math.sqrt(a - 0.5)
        wanted = 2 * math.cos(p / 2) * math.cos(q / 2)
        wanted -= (p / q + q / p) * math.sin(p / 2) * math.sin(q / 2)
        r = steady(text, "--set", "a=%g" % a, "--period", "1")
        near("trace for %g" % a, sum(multipliers(r)).real, wanted, 1e-6)
        check("stable for %g" % a, r["stable"] == (abs(wanted) <= 2), r)


def test_subharmonic():
    """The logistic map beyond its first bifurcation."""
    text = """model M
  parameter Real r = 3.2;
  discrete Real x(start = 0.3, fixed = true);
equation
  when sample(1, 1) then
    x = r*pre(x)*(1 - pre(x));
  end when;
end M;
"""
    r = steady(text)
    check("twice", r["multiple"] == 2 and r["period"] == 2 and r["stable"], r)
    points = [(4.2 + s * math.sqrt(0.2 * 4.2)) / 6.4 for s in (-1, 1)]
    near("x", min(abs(r["values"]["x"] - p) for p in points), 0)
    same_multipliers("multipliers", r, [4 + 2 * 3.2 - 3.2 ** 2])
    r = steady(text, "--set", "r=3.5")
    check("four times", r["multiple"] == 4, r["multiple"])


def test_ball_on_table():
    """Impacts once per period of the table (Holmes 1982): the phase, and the product e²."""
    text = """model M
  parameter Real e = 0.8, g = 9.81, A = 0.0009, w = 100;
  Real h(start = 0.004, fixed = true), v(start = -0.19, fixed = true);
  Real table = A*sin(w*time), vt = A*w*cos(w*time);
equation
  der(h) = v;
  der(v) = -g;
  when h < table then
    reinit(v, vt - e*(pre(v) - vt));
  end when;
end M;
"""
    r = steady(text)
    period = 2 * math.pi / 100
    near("period", r["period"], period, 1e-12)
    check("stable", r["stable"], r)
    got = multipliers(r)
    near("product", (got[0] * got[1]).real, 0.64)
    speed = 9.81 * period / 2 * (1 - 0.8) / (1 + 0.8)  # of the table at impact
    phase = math.acos(speed / 0.09)  # the stable one
    rest = period - phase / 100  # from the impact to the end of the period
    rise = 9.81 * period / 2
    height = 0.0009 * math.sin(phase) + rise * rest - 9.81 / 2 * rest ** 2
    near("height", r["values"]["h"], height, 1e-8)
    near("velocity", r["values"]["v"], rise - 9.81 * rest)


# ---- motions without a drive ----


def test_van_der_pol():
    """Published: period 6.6632868593, amplitude 2.0086198609 for mu = 1."""
    text = """model M
  parameter Real mu = 1;
  Real x(start = 0.5, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = y;
  der(y) = mu*(1 - x^2)*y - x;
end M;
"""
    r = steady(text, "--orbit", "orbit.csv")
    near("period", r["period"], 6.6632868593, 1e-7)
    near("amplitude", r["figures"]["x"]["max"], 2.0086198609, 1e-6)
    check("stable", r["stable"] and len(r["multipliers"]) == 1, r["multipliers"])
    # Liouville: the mean of the divergence mu*(1 - x²)
    decay = math.exp(r["period"] * (1 - r["figures"]["x"]["rms"] ** 2))
    near("multiplier", r["multipliers"][0]["re"], decay, 1e-7)
    r = steady(text, "--period", "6.5", "--set", "x.start=2")
    near("from a guess", r["period"], 6.6632868593, 1e-7)


def test_relay():
    text = """model M
  parameter Real a = 0.5, b = 2;
  Real x(start = 0.1, fixed = true);
  Boolean on(start = true, fixed = true);
equation
  der(x) = (if on then 1 else -b) - x;
  on = if pre(on) then x < a else x < -a;
end M;
"""
    r = steady(text)
    near("period", r["period"], math.log(1.5 / 0.5) + math.log(2.5 / 1.5), 1e-7)
    near("range", r["figures"]["x"]["max"] - r["figures"]["x"]["min"], 1, 1e-7)
    check("stable", r["stable"], r)


def test_angles():
    """A motor turns for ever; a rotor follows a field, one turn per period."""
    text = """model M
  Real i(start = 0, fixed = true), w(start = 0, fixed = true);
  Real phi(start = 0, fixed = true, unit = "rad"), psi(start = 0, fixed = true, unit = "rad");
equation
  0.01*der(i) = 12 - i - 0.1*w;
  0.01*der(w) = 0.1*i - 0.001*w;
  der(phi) = w;
  der(psi) = 3*w + phi - psi/1;
end M;
"""
    motor = text.replace("phi - psi/1", "0")
    r = steady(motor)
    check("equilibrium", r["kind"] == "equilibrium" and r["stable"] and r["period"] is None, r)
    near("speed", r["values"]["w"], 1.2 / (0.1 * 0.1 + 0.001))
    check("angles drift", "phi" not in r["values"] and "psi" not in r["values"], r["values"])
    text = """model M
  parameter Real d = 0.5, K = 4, w = 5;
  Real phi(start = 0, fixed = true, unit = "rad"), om(start = 5, fixed = true);
equation
  der(phi) = om;
  der(om) = -d*om - K*sin(phi - w*time);
end M;
"""
    r = steady(text)
    near("angle", math.sin(r["values"]["phi"]), -0.5 * 5 / 4)
    check("modulo", 0 <= r["values"]["phi"] < 2 * math.pi, r["values"])
    near("speed", r["values"]["om"], 5)


def test_equilibria():
    text = """model M
  parameter Real p = 4;
  Real x(start = 3, fixed = true), y(start = 1, fixed = true);
equation
  der(x) = p - x^2 + (if time < 0.4 then 1 else 0);
  der(y) = x - y;
end M;
"""
    r = steady(text)
    check("equilibrium", r["kind"] == "equilibrium" and r["stable"] and r["multipliers"] == [], r)
    near("x", r["values"]["x"], 2, 1e-9)
    near("y", r["values"]["y"], 2, 1e-9)
    near("pole", min(p["re"] for p in r["poles"]), -4, 1e-9)
    rest = """model M
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.5*pre(v));
  end when;
end M;
"""
    r = steady(rest, "--stop-time", "10")
    check("rest", r["kind"] == "equilibrium", r)
    near("on the ground", r["values"]["h"], 0, 1e-6)


# ---- messages ----


def fails(what, code, text, *options):
    rc, out, err = call("steady", write("M.mo", text), "-o", "M.json", *options)
    check(what, rc != 0 and code in err, (rc, err))
    return err


def test_messages():
    model = "model M\n  Real x(start = 0.1, fixed = true);\nequation\n  der(x) = %s;\nend M;\n"
    fails("no period", "A008", model % "time - x")
    fails("incommensurate", "A008", model % "sin(time) + sin(sqrt(2)*time) - x")
    err = fails("nothing", "A004", model % "1")
    check("what was reached", json.load(open("M.json"))["converged"] is False, err)
    fails("bad period", "--period", model % "-x", "--period", "-1")
    fails("unknown name", "U004", model % "-x", "--set", "y=1")
    rc, out, err = call("steady", write("M.mo", model % "x"))
    r = json.loads(out)
    check("unstable", rc == 0 and "A010" in err and not r["stable"], err)
    chaos = """model M
  discrete Real x(start = 0.3, fixed = true);
equation
  when sample(1, 1) then
    x = 3.9*pre(x)*(1 - pre(x));
  end when;
end M;
"""
    rc, out, err = call("steady", write("M.mo", chaos))
    r = json.loads(out)
    check("unstable orbit", "A010" in err and not r["stable"], err)
    near("fixed point", r["values"]["x"], 1 - 1 / 3.9)


program.run_tests()
