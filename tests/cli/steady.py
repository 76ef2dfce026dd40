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


def test_resonant_converter():
    """A series resonant tank with a load, driven by a square wave: by matrix exponentials of a half
    period. Its first harmonic is the published approximation: M = 1/sqrt(1 + Q^2 (F - 1/F)^2)."""
    L, C, R, V, F = 47e-6, 33e-9, 20.0, 100.0, 1.15
    f = F / (2 * math.pi * math.sqrt(L * C))
    text = """model M
  parameter Real L = %r, C = %r, R = %r, V = %r, f = %r;
  Real i(start = 0, fixed = true), v(start = 0, fixed = true), u;
  discrete Real t0(start = 0, fixed = true);
equation
  when sample(0, 1/f) then
    t0 = time;
  end when;
  u = if time < t0 + 0.5/f then V else -V;
  L*der(i) = u - v - R*i;
  C*der(v) = i;
  annotation(experiment(StopTime = 1e-4));
end M;
""" % (L, C, R, V, f)
    r = steady(text, "--orbit", "orbit.csv")
    a = [[-R / L, -1 / L], [1 / C, 0.0]]
    half = exponential(affine(a, [V / L, 0.0]), 0.5 / f)
    # after a half period the state is the negative one: x = -(m x + c)
    m = [[-half[i][j] for j in range(3)] for i in range(2)] + [[0.0, 0.0, 1.0]]
    x, _ = fixed_point(m)
    near("current", r["values"]["i"], x[0], 1e-5)
    near("voltage", r["values"]["v"], x[1], 1e-5)
    whole = exponential(a, 1 / f)
    same_multipliers("multipliers", r, eigenvalues(*whole[0], *whole[1]), 1e-5)
    check("few periods", r["periods_used"] <= 6, r["periods_used"])
    rc, out, err = call("spectrum", "orbit.csv", "i", "--frequency", repr(f), "-o", "s.json")
    first = json.load(open("s.json"))["variables"]["i"]["harmonics"][0]["amplitude"]
    Q = math.sqrt(L / C) / R
    gain = 1 / math.sqrt(1 + Q * Q * (F - 1 / F) ** 2)
    near("gain of the first harmonic", first * R / (4 / math.pi * V), gain, 1e-4)


SERIES_RESONANT = """model M
  parameter Real Vg = 100, V = 50, L = 20e-6, C = 50e-9, f = 2e5;
  Real i(start = 0, fixed = true), vc(start = 0, fixed = true), u, vp, vn, out = id[1] + id[3];
  Real id[4], s[4], ud[4];
  Boolean off[4](each start = true, each fixed = true);
  discrete Real t0(start = 0, fixed = true);
equation
  when sample(0, 1/f) then
    t0 = time;
  end when;
  u = if time < t0 + 0.5/f then Vg else -Vg;
  for k in 1:4 loop
    off[k] = s[k] < 0;
    ud[k] = if off[k] then s[k] else 0;
    id[k] = if off[k] then 0 else s[k];
  end for;
  ud[1] = vp - V;
  ud[2] = -vp;
  ud[3] = vn - V;
  ud[4] = -vn;
  i = id[1] - id[2];
  -i = id[3] - id[4];
  L*der(i) = u - vc - (vp - vn);
  C*der(vc) = i;
  annotation(experiment(StopTime = 1e-3));
end M;
"""


def test_series_resonant_converter():
    """With a bridge of diodes: M² sin²(γ/2) + (J γ/2 ± 1)² cos²(γ/2) = 1, where γ = π/F, M = V/Vg
    and J is the mean current (Erickson and Maksimović, chapter on resonant conversion, from the
    state plane; the sign is that of F - 1)."""
    z, f0 = math.sqrt(20e-6 / 50e-9), 1 / (2 * math.pi * math.sqrt(20e-6 * 50e-9))
    for F, M in ((1.3, 0.57), (1.1, 0.7), (0.8, 0.74), (0.65, 0.86)):
        options = ("--set", "V=%r" % (100 * M), "--set", "f=%r" % (F * f0))
        r = steady(SERIES_RESONANT, "--tolerance", "1e-8", *options)
        g, side = math.pi / F, 1 if F > 1 else -1
        J = r["figures"]["out"]["mean"] * z / 100
        square = (M * math.sin(g / 2)) ** 2 + ((J * g / 2 + side) * math.cos(g / 2)) ** 2
        near("ellipse at F = %g" % F, square, 1, 1e-6)
        check("few periods", r["periods_used"] <= 12 and r["stable"], r["periods_used"])


LLC = """model M
  parameter Real Vg = 100, L = 20e-6, Lm = 100e-6, C = 50e-9, V = 95, f = 1e5;
  Real i(start = 0, fixed = true), im(start = 0, fixed = true), vc(start = 0, fixed = true);
  Real u, vm, up, ip, sp, un, iN, sn;
  Boolean offp(start = true, fixed = true), offn(start = true, fixed = true);
  discrete Real t0(start = 0, fixed = true);
equation
  when sample(0, 1/f) then
    t0 = time;
  end when;
  u = if time < t0 + 0.5/f then Vg else -Vg;
  offp = sp < 0;
  up = if offp then sp else 0;
  ip = if offp then 0 else sp;
  up = vm - V;
  offn = sn < 0;
  un = if offn then sn else 0;
  iN = if offn then 0 else sn;
  un = -vm - V;
  i - im = ip - iN;
  Lm*der(im) = vm;
  L*der(i) = u - vc - vm;
  C*der(vc) = i;
  annotation(experiment(StopTime = 1e-4));
end M;
"""


def llc_half_period(x, side, V, half):
    """(i, im, vc) after a half period with the voltage 100, by Runge and Kutta's method.
    side: 1 or -1 if a diode conducts, 0 if none does: both currents are one then."""
    L, Lm, C, u = 20e-6, 100e-6, 50e-9, 100.0

    def rate(x):
        vm = side * V if side else (u - x[2]) * Lm / (L + Lm)
        return [(u - x[2] - vm) / L, vm / Lm, x[0] / C]

    def after(x, h):
        k1 = rate(x)
        k2 = rate([a + h / 2 * b for a, b in zip(x, k1)])
        k3 = rate([a + h / 2 * b for a, b in zip(x, k2)])
        k4 = rate([a + h * b for a, b in zip(x, k3)])
        return [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(x, k1, k2, k3, k4)]

    def margin(x):  # of the mode
        blocked = V - abs(u - x[2]) * Lm / (L + Lm)
        return side * (x[0] - x[1]) if side else blocked

    t, h = 0.0, half / 4000
    while t < half * (1 - 1e-12):
        step = min(h, half - t)
        if margin(after(x, step)) < -1e-12:
            low, high = 0.0, step
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (low, middle) if margin(after(x, middle)) < 0 else (middle, high)
            x, t = after(x, high), t + high
            free = (u - x[2]) * Lm / (L + Lm)
            if side:
                x[0] = x[1]
            side = 0 if side and abs(free) < V else 1 if free > 0 else -1
            continue
        x, t = after(x, step), t + step
    return x


def test_llc_converter():
    """A second coil takes part in the resonance while no diode conducts. After a half period, the
    state is the negative one; an integrator of our own leads from one to the other."""
    f0 = 1 / (2 * math.pi * math.sqrt(20e-6 * 50e-9))
    for V, F in ((95, 0.8), (90, 1.1), (105, 0.6)):
        f = F * f0
        r = steady(LLC, "--set", "V=%d" % V, "--set", "f=%r" % f)
        v = r["values"]
        side = 1 if v["ip"] > 1e-9 else -1 if v["iN"] > 1e-9 else 0
        x = [v["i"], v["im"], v["vc"]]
        y = llc_half_period(x, side, V, 0.5 / f)
        for name, a, b in zip(("i", "im", "vc"), x, y):
            near("%s at F = %g" % (name, F), b, -a, 1e-6)
        check("few periods", r["periods_used"] <= 10 and r["stable"], r["periods_used"])


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


def test_conserved_value():
    """A discrete value that changes its sign keeps its size: it is given, not searched."""
    d, e = 0.6, 1.1
    text = """model M
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  discrete Real s(start = 1, fixed = true);
equation
  when sample(0, %r) then
    s = -pre(s);
  end when;
  der(x) = v;
  der(v) = -(%r + %r*s)*x;
end M;
""" % (math.pi, d, e)
    r = steady(text, "--period", repr(2 * math.pi))
    whole = product(
        exponential([[0.0, 1.0], [-(d + e), 0.0]], math.pi),
        exponential([[0.0, 1.0], [-(d - e), 0.0]], math.pi),
    )
    near("size", abs(r["values"]["s"]), 1, 1e-12)
    wanted = eigenvalues(*whole[0], *whole[1]) + [1]
    same_multipliers("multipliers", r, by_parts(complex(z) for z in wanted), 1e-5)
    check("stable", r["stable"] == (abs(whole[0][0] + whole[1][1]) < 2), r["stable"])


def test_rotating_values():
    """Discrete Reals that only take each other's places, or change their sign, keep their values:
    the fixed point between them, such as zero, is not where the motion goes."""
    text = """model M
  Real x(start = 0, fixed = true);
  discrete Real a(start = 1, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
equation
  when sample(0, 1) then %s end when;
  der(x) = a - x;
end M;
"""
    e = math.exp(-1)
    for rule, period, x in (
        ("a = -pre(a); b = 0; c = 0;", 2, (1 - e) / (1 + e)),
        ("a = pre(c); b = pre(a); c = pre(b);", 3, (1 - e) / (1 - e ** 3)),
        ("a = 1 - pre(a); b = pre(b) + 1; c = 0;", 2, (1 - e) / (1 - e ** 2)),
    ):
        r = steady(text % rule)
        near("period of " + rule, r["period"], period, 1e-12)
        near("x of " + rule, r["values"]["x"], x)
        check("few periods", r["periods_used"] < 20, r["periods_used"])


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
    rest = "  Real y(start = 0.3, fixed = true);\nequation\n  der(y) = 0;"
    beside = text.replace("equation", rest)
    near("a value that rests", steady(beside)["values"]["y"], 0.3, 1e-15)


def test_inverted_drive():
    """A Boolean that each sample inverts doubles the period of the drive from the start. The search
    needs no hundreds of periods to see it, and begins at a multiple of both periods."""
    for scale, R in (1.0, 5.0), (1e4, 2.0):
        V, T, L, C = 10.0, 2.5e-5 * scale, 1e-4 * scale, 2e-7 * scale
        r = steady(
            """model M
  Real i(start = 0, fixed = true), v(start = 0, fixed = true);
  Boolean up(start = true, fixed = true);
equation
  when sample(%g, %g) then up = not pre(up); end when;
  %g*der(i) = (if up then 10 else -10) - v - %g*i; %g*der(v) = i;
end M;
"""
            % (T / 2, T / 2, L, R, C)
        )
        a = [[-R / L, -1 / L], [1 / C, 0.0]]
        on, off = (exponential(affine(a, [sign * V / L, 0.0]), T / 2) for sign in (1, -1))
        x, wanted = fixed_point(product(off, on))
        near("period", r["period"], T, 1e-9)
        near("i", r["values"]["i"], x[0], 1e-5)
        near("v", r["values"]["v"], x[1], 1e-5)
        same_multipliers("inverted drive", r, wanted, 1e-5)
        check("few periods", r["periods_used"] < 60, r["periods_used"])


def test_alternation_that_ends():
    """A Boolean alternates until y is small: the motion repeats after one period in the end."""
    r = steady(
        """model M
  Real x(start = 0, fixed = true), y(start = 1, fixed = true);
  Boolean up(start = true, fixed = true);
equation
  when sample(1, 1) then up = if y > 0.05 then not pre(up) else false; end when;
  der(x) = (if up then 5 else 1) + sin(6.283185307179586*time) - 0.05*x;
  der(y) = -0.05*(y^3 + 0.1*y);
end M;
"""
    )
    w = 2 * math.pi  # x = 20 + (0.05*sin(w*t) - w*cos(w*t))/(0.05^2 + w^2)
    near("period", r["period"], 1, 1e-9)
    near("x", r["values"]["x"], 20 - w / (0.05 ** 2 + w ** 2), 1e-5)
    near("y", r["values"]["y"], 0, 1e-5)
    same_multipliers("alternation", r, [math.exp(-0.05), math.exp(-0.005)], 1e-5)


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


def agm(a, b):
    while abs(a - b) > 1e-15 * a:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return a


def test_families():
    """Without damping, every motion repeats; that from the initial point is the result."""
    oscillator = """model M
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = %s;
end M;
"""
    for words in ((), ("--period", "2.1"), ("--period", "2.15")):
        r = steady(oscillator % "-9*x", *words)
        near("linear, period", r["period"], 2 * math.pi / 3, 1e-7)
        near("linear, amplitude", r["figures"]["x"]["max"], 1, 1e-6)
        check("linear, few periods", r["periods_used"] < 10, r["periods_used"])
    r = steady(oscillator % "-9.81*sin(x)")
    wanted = 2 * math.pi / math.sqrt(9.81) / agm(1, math.cos(0.5))
    near("pendulum, period", r["period"], wanted, 1e-6)
    near("pendulum, amplitude", r["figures"]["x"]["min"], -1, 1e-6)
    kepler = """model M
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
  Real vx(start = 0, fixed = true), vy(start = 1.1, fixed = true), r;
equation
  r = sqrt(x^2 + y^2);
  der(x) = vx;
  der(y) = vy;
  der(vx) = -x/r^3;
  der(vy) = -y/r^3;
end M;
"""
    r = steady(kepler)
    check("Kepler, values near zero", {"x", "y", "vx", "vy"} <= set(r["values"]), r["values"])
    near("Kepler, period", r["period"], 2 * math.pi * (2 - 1.1**2) ** -1.5, 1e-6)
    near("Kepler, nearest", r["figures"]["r"]["min"], 1, 1e-6)
    near("Kepler, farthest", r["figures"]["r"]["max"], 2 / (2 - 1.1**2) - 1, 1e-6)


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


def test_clock():
    """A pendulum that gets an impulse whenever it passes its lowest point, which is an equilibrium
    without events: angle a, loss of a half swing by an integrator of our own."""
    text = """model M
  parameter Real d = 0.05, J = 0.09;
  Real a(start = 0.5, fixed = true), w(start = 0, fixed = true);
equation
  der(a) = w;
  der(w) = -sin(a) - d*w;
  when a > 0 then
    reinit(w, pre(w) + J);
  end when;
  annotation(experiment(StopTime = 60));
end M;
"""

    def swing(w, h=2e-3):  # from a = 0 to a = 0 with w > 0 again
        a, t, below = 0.0, 0.0, False
        rate = lambda a, w: (w, -math.sin(a) - 0.05 * w)
        while True:
            def step(h):
                k1 = rate(a, w)
                k2 = rate(a + h / 2 * k1[0], w + h / 2 * k1[1])
                k3 = rate(a + h / 2 * k2[0], w + h / 2 * k2[1])
                k4 = rate(a + h * k3[0], w + h * k3[1])
                return [
                    x + h / 6 * (p + 2 * q + 2 * r + s)
                    for x, p, q, r, s in zip((a, w), k1, k2, k3, k4)
                ]
            b, v = step(h)
            if below and b >= 0:
                low, high = 0.0, h
                for _ in range(60):
                    middle = (low + high) / 2
                    low, high = (low, middle) if step(middle)[0] >= 0 else (middle, high)
                return t + high, step(high)[1]
            below = below or b < 0
            a, w, t = b, v, t + h

    low, high = 0.1, 2.0  # the speed before the impulse that comes back
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if swing(middle + 0.09)[1] > middle else (low, middle)
    r = steady(text)
    check("periodic", r["kind"] == "periodic" and r["stable"], r)
    near("period", r["period"], swing(low + 0.09)[0], 1e-6)
    near("speed", r["figures"]["w"]["max"], low + 0.09, 1e-6)
    slope = (swing(low + 0.0901)[1] - swing(low + 0.0899)[1]) / 2e-4
    near("multiplier", r["multipliers"][0]["re"], slope, 1e-4)


def test_slow_decay_with_events():
    """An oscillation that decays slowly, with a relation that could switch, ends in rest."""
    text = """model M
  Real x(start = 0.5, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = 0.1 - (if x > 2 then 2 else x) - 0.02*v;
  annotation(experiment(StopTime = 20));
end M;
"""
    r = steady(text)
    check("equilibrium", r["kind"] == "equilibrium" and r["periods_used"] == 0, r)
    near("x", r["values"]["x"], 0.1)


def test_timers():
    """An automaton with timers: discrete states repeat after the sum of its durations, also if its
    time events repeat earlier."""
    text = """model M
  parameter Real durations[3] = {3, 2, 1};
  Integer state(start = 1, fixed = true), n(start = 0, fixed = true);
  discrete Real entered(start = 0, fixed = true);
  Boolean fire = time >= pre(entered) + durations[pre(state)];
equation
  when fire then
    state = mod(pre(state), 3) + 1;
    entered = time;
    n = pre(n) + 1;
  end when;
end M;
"""
    for option, wanted in (((), 6), (("--set", "durations[2]=2.5"), 6.5)):
        r = steady(text, *option)
        near("period", r["period"], wanted, 1e-12)
        check("state", r["values"]["state"] == 1 and "n" not in r["values"], r["values"])


def test_drift_beside_events():
    """A buck converter with peak current control and a clock state: t drifts, its size is small."""
    text = """model M
  parameter Real T = 2e-5, m = 80000;
  Real i(start = 1.2, fixed = true), v(start = 6, fixed = true), t(start = 0, fixed = true);
  Boolean on(start = true, fixed = true);
equation
  50e-6*der(i) = (if on then 10 else 0) - v;
  100e-6*der(v) = i - v/5;
  der(t) = 1;
algorithm
  when sample(0, T) then
    on := true;
  elsewhen i > 2 - m*(time - floor(time/T)*T) then
    on := false;
  end when;
end M;
"""
    r = steady(text)
    check("drift", set(r["values"]) == {"i", "der(i)", "v", "der(v)", "on", "der(t)"}, r["values"])
    check("few periods", r["periods_used"] < 45, r["periods_used"])
    u = r["figures"]
    near("mean current", u["i"]["mean"], u["v"]["mean"] / 5, 1e-6)


def test_drift_beside_a_timer():
    """x drifts; its timer c alone determines the period."""
    text = """model M
  Real x(start = 0, fixed = true), c(start = 0, fixed = true);
  Boolean up(start = true, fixed = true);
equation
  der(x) = if up then 1 else -1;
  der(c) = 1;
  when c >= (if pre(up) then 0.5 else 1) then
    up = not pre(up);
    reinit(c, 0);
  end when;
  annotation(experiment(StopTime = 3));
end M;
"""
    r = steady(text)
    near("period", r["period"], 1.5, 1e-9)
    check("drift", "x" not in r["values"], r["values"])


def test_slow_motion():
    """A room that is watched for a moment seems to rest."""
    text = """model M
  Real T(start = 283, fixed = true);
  Boolean on(start = true, fixed = true);
equation
  on = T < 292.5 or pre(on) and T < 293.5;
  3600*der(T) = (if on then 303 else 283) - T;
end M;
"""
    r = steady(text)
    near("period", r["period"], 3600 * (math.log(10.5 / 9.5) + math.log(10.5 / 9.5)), 1e-7)


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


def test_delays():
    """The past is part of the state: the motion is watched until it repeats."""
    r = steady(
        """model M
  parameter Real T = 0.4, w = 3;
  Real x(start = 0.2, fixed = true);
equation
  der(x) = -delay(x, T) + sin(w*time);
end M;
"""
    )
    wanted = 1 / (3j + cmath.exp(-1.2j))
    near("driven", r["values"]["x"], wanted.imag, 3e-6)
    near("amplitude", r["figures"]["x"]["max"], abs(wanted), 3e-6)
    near("period", r["period"], 2 * math.pi / 3, 1e-12)
    check("no multipliers", r["multipliers"] == [] and r["stable"], r)
    r = steady(
        """model M
  parameter Real k = 1.1, T = 0.35, h = 0.4;
  Real x(start = 0, fixed = true), y;
  Boolean up(start = true, fixed = true);
equation
  when {x > h, x < -h} then
    up = x < -h;
  end when;
  y = delay(if up then k else -k, T);
  der(x) = y;
end M;
""",
        "--stop-time",
        "9",
    )
    near("relay with delay", r["period"], 4 * 0.4 / 1.1 + 4 * 0.35)
    near("peak", r["figures"]["x"]["max"], 0.4 + 1.1 * 0.35)
    r = steady(
        """model M
  Real x(start = 1, fixed = true);
equation
  der(x) = 1 - 0.7*delay(x, 0.9);
end M;
""",
        "--stop-time",
        "20",
    )
    check("rest", r["kind"] == "equilibrium", r)
    near("equilibrium", r["values"]["x"], 1 / 0.7)


def test_without_derivatives():
    """A foreign function without a derivative: difference quotients replace it."""
    r = steady(
        """model M
  function f
    input Real x;
    output Real y;
  external "C" y = kairos_test_cube(x)
    annotation(Include = "static double kairos_test_cube(double x) { return x + x*x*x; }");
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(x) + 2*cos(time);
end M;
"""
    )

    def rate(t, x):
        return -(x + x**3) + 2 * math.cos(t)

    x, n = 1.0, 4000  # a Runge-Kutta method of our own, over ten periods
    for k in range(10 * n):
        h, t = 2 * math.pi / n, 2 * math.pi * k / n
        a = rate(t, x)
        b = rate(t + h / 2, x + h / 2 * a)
        c = rate(t + h / 2, x + h / 2 * b)
        x += h / 6 * (a + 2 * b + 2 * c + rate(t + h, x + h * c))
    near("value", r["values"]["x"], x, 1e-5)
    check("contracts", len(r["multipliers"]) == 1 and abs(r["multipliers"][0]["re"]) < 0.05, r)


def test_multipliers_of_a_slide():
    """On x1 + x2 = 0, (x2, x3)' = A (x2, x3) + (0, sin 2t); moves off the surface are undone."""
    text = """model M
  Real x1(start = 1, fixed = true), x2(start = 0, fixed = true), x3(start = 0, fixed = true);
  Real s = x1 + x2;
equation
  der(x1) = 0.2*x3 - 5*(if s > 0 then 1 else -1);
  der(x2) = x3 - x2 - 2*(if s > 0 then 1 else -1);
  der(x3) = -x3 - 2*x2 + sin(2*time);
  annotation(experiment(StopTime = 10));
end M;
"""
    r = steady(text)
    a = [[-5 / 7, 1 - 2.4 / 7], [-2.0, -1.0]]  # with the mixture that keeps s at 0
    whole = exponential(a, math.pi)
    got = sorted(r["multipliers"], key=lambda m: math.hypot(m["re"], m["im"]))
    check("off the surface", math.hypot(got[0]["re"], got[0]["im"]) < 1e-6, got)
    same_multipliers("along", {"multipliers": got[1:]}, eigenvalues(*whole[0], *whole[1]), 1e-5)
    # y = Im(Y exp(2it)) with (2i - A) Y = (0, 1)
    p, q = 2j - a[0][0], 2j - a[1][1]
    d = p * q - a[0][1] * a[1][0]
    near("x2", r["values"]["x2"], (a[0][1] / d).imag, 1e-6)
    near("x3", r["values"]["x3"], (p / d).imag, 1e-6)


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
    # a motion that looks periodic at first: the search for its period moves the states away
    for e, stop in ((0.8, "1.5"), (0.9, "2"), (0.7, "1")):
        r = steady(rest.replace("0.5", repr(e)), "--stop-time", stop)
        check("rest of a ball with e = %g" % e, r["kind"] == "equilibrium", r)
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
    err = fails("blow-up", "A004", model % "1 + x^2", "--stop-time", "3")
    check("what was reached", json.load(open("M.json"))["values"]["x"] > 1e3, err)
    away = """model M
  Real x(start = 0.2, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = exp(x) + 0.2 - 0.1*v;
end M;
"""
    fails("far away, a force vanishes: no drift", "A004", away)
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
