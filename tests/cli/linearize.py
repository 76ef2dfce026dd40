"""kairos linearize against linear systems whose matrices, poles and zeros are known."""
import cmath, json, math, os, struct, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from elimination import solve_linear
from program import call, check, write

OSCILLATOR = """model M
  parameter Real w = 3, z = 0.2;
  input Real u;
  output Real y;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -w^2*x - 2*z*w*v + u;
  y = 2*v + 5*x;
end M;
"""


def linear(text, *options):
    """The linear model of a text."""
    rc, out, err = call("linearize", write("M.mo", text), *options)
    check("linearize " + " ".join(options), rc == 0, err)
    return json.loads(out)


def near(what, got, wanted, tolerance=1e-9):
    """Numbers, lists of them, and lists of poles."""
    if isinstance(wanted, (list, tuple)):
        check(what + " size", len(got) == len(wanted), (got, wanted))
        for i, (a, b) in enumerate(zip(got, wanted)):
            near("%s[%d]" % (what, i), a, b, tolerance)
    else:
        got = complex(got["re"], got["im"]) if isinstance(got, dict) else got
        check(what, abs(got - wanted) <= tolerance * max(1, abs(wanted)), (got, wanted))


def test_oscillator():
    r = linear(OSCILLATOR)
    check("names", (r["states"], r["inputs"], r["outputs"]) == (["x", "v"], ["u"], ["y"]), r)
    check("no period", r["period"] is None and r["time"] == 0, r)
    near("A", r["A"], [[0, 1], [-9, -1.2]])
    near("B", r["B"], [[0], [1]])
    near("C", r["C"], [[5, 2]])
    near("D", r["D"], [[0]])
    im = 3 * math.sqrt(1 - 0.04)
    near("poles", r["poles"], [complex(-0.6, -im), complex(-0.6, im)])
    near("frequency", r["poles"][0]["frequency"], 3 / (2 * math.pi))
    near("damping", r["poles"][0]["damping"], 0.2)
    near("zeros", r["zeros"], [-2.5])
    near("parameter", linear(OSCILLATOR, "--set", "w=4")["A"], [[0, 1], [-16, -1.6]])


def test_index_and_loops():
    """A pendulum of index 3, with its torn loop for the force: x'' = -g/L x - d/m x' + f/m."""
    text = """model M
  parameter Real L = 2, g = 9.81, m = 1, d = 0.1;
  Real x(start = 0.1), y(start = -2), vx, vy, F;
  input Real f;
  output Real out = x;
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -x/L*F - d*vx + f;
  m*der(vy) = -y/L*F - m*g;
  x^2 + y^2 = L^2;
end M;
"""
    r = linear(text, "--at", "steady")
    near("poles", sorted(p["re"] for p in r["poles"]), [-0.05, -0.05])
    near("frequency", abs(r["poles"][0]["im"]), math.sqrt(9.81 / 2 - 0.05**2))
    at = {name: i for i, name in enumerate(r["states"])}
    near("gain", r["B"][at["vx"]], [1])
    near("output", r["C"][0][at["x"]], 1)
    # from a point without states x, where Newton's step leaves the circle
    for start in ("1", "1.9", "-1.5"):
        far = text.replace("x(start = 0.1), y(start = -2)", "x(start = %s), y" % start)
        r = linear(far, "--at", "steady")
        near("frequency", abs(r["poles"][0]["im"]), math.sqrt(9.81 / 2 - 0.05**2))


def test_outputs_of_few_states():
    """A line of cells: an output that is a state, one of two states, and one of all of them."""
    n = 37
    text = """model M
  parameter Integer n = %d;
  Real x[n](each start = 1, each fixed = true);
  input Real u;
  output Real last = -x[n], square = x[1] + 2*x[20]^2, all = sum(x)/n, none = 3*u;
equation
  der(x[1]) = u - 2*x[1] + x[2];
  for i in 2:n - 1 loop
    der(x[i]) = x[i - 1] - 2*x[i] + x[i + 1];
  end for;
  der(x[n]) = x[n - 1] - x[n];
end M;
""" % n
    r = linear(text)
    at = [r["states"].index("x[%d]" % (i + 1)) for i in range(n)]
    unit = lambda **by: [[by.get("x%d" % (i + 1), 0) for i in range(n)]]
    rows = dict(zip(r["outputs"], ([[row[j] for j in at]] for row in r["C"])))
    near("a state", rows["last"], unit(x37=-1))
    near("two states", rows["square"], unit(x1=1, x20=4))
    near("all states", rows["all"], [[1 / n] * n])
    near("no state", rows["none"], [[0] * n])
    near("input", [row[0] for row in r["D"]], [3 if name == "none" else 0 for name in r["outputs"]])
    near("row of A", [r["A"][at[1]][j] for j in at], unit(x1=1, x2=-2, x3=1)[0])


def test_points():
    """x' = -x^2 + 4 from x = 1: A = -2x with x = 2*tanh(2t + atanh(1/2)); rest at 2."""
    text = """model M
  Real x(start = 1, fixed = true);
equation
  der(x) = 4 - x^2;
annotation(experiment(StopTime = 0.5, Tolerance = 1e-10));
end M;
"""
    x = lambda t: 2 * math.tanh(2 * t + math.atanh(0.5))
    r = linear(text, "--at", "0", "--at", "0.2", "--at", "end", "--at", "steady")
    for point, wanted in zip(r, [x(0), x(0.2), x(0.5), 2]):
        near("A", point["A"], [[-2 * wanted]], 1e-8)
    check("times", [p["time"] for p in r] == [0, 0.2, 0.5, 0], r)


def test_modes():
    """A coil with an ideal switch: the state exists only while the switch is closed."""
    text = """model M
  parameter Real R = 2, L = 0.5;
  Real i(start = 0), v;
  Boolean closed = time < 1;
equation
  L*der(i) = 10 - R*i - v;
  0 = if closed then v else i;
annotation(experiment(StopTime = 2));
end M;
"""
    r = linear(text, "--at", "0.5", "--at", "end")
    near("closed", r[0]["poles"], [-4])
    check("open", r[1]["states"] == [] and r[1]["poles"] == [], r[1])


def test_zeros_and_reach():
    """Two inputs and outputs; a part without inputs; a pole that a zero cancels."""
    text = """model M
  input Real u1, u2;
  output Real y1, y2;
  Real a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 1, fixed = true);
equation
  der(a) = -a + u1;
  der(b) = -2*b + u2;
  der(c) = -3*c;
  y1 = a + b;
  y2 = b + a*0.5 + u1;
end M;
"""
    rc, out, err = call("linearize", write("M.mo", text))
    check("runs", rc == 0, err)
    warned = "A002" in err and "no input reaches 1 pole" in err and "-3" in err
    check("controllability", warned, err)
    # det [sI-A -B; C D] = (s + 3)*q(s): from u1, y1 = u1/(s+1), y2 = 0.5 u1/(s+1) + u1, and from
    # u2 both are u2/(s+2): the determinant of G is -(s + 1 + 0.5 - 1)/((s+1)(s+2))
    near("zeros", sorted(z["re"] for z in json.loads(out)["zeros"]), [-3, -0.5], 1e-8)


def test_zeros_at_zero():
    """a(z)/u(z) = z^3/(z^3 - 0.3 z^2 - 0.7 z + 0.2), and b is a of the period before: a + b/2 has
    the numerator z^2 (z + 1/2). Multiple zeros at 0 are exact, and have no frequency."""
    text = """model M
  input Real u(start = 0);
  output Real y = a + k*b;
  parameter Real k;
  discrete Real a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
equation
  when sample(0, 0.1) then
    a = 0.3*pre(a) + 0.7*pre(b) - 0.2*pre(c) + u;
    b = pre(a);
    c = pre(b);
  end when;
end M;
"""
    for k, others in ((0, []), (0.5, [-0.5]), (-0.25, [0.25])):
        zeros = linear(text, "--set", "k=%r" % k)["zeros"]
        rest = {"re": 0, "im": 0, "frequency": None, "damping": 1}
        check("zeros at 0", zeros.count(rest) == 3 - len(others), (k, zeros))
        near("others", [z["re"] for z in zeros if z != rest], others, 1e-12)
        check("order", [z["re"] for z in zeros] == sorted(z["re"] for z in zeros), zeros)


def test_integrators():
    """Without a matrix A, all poles are reached and shown, and there are no zeros."""
    for n in (1, 3):
        text = """model M
  input Real u[%d];
  output Real y[%d] = x;
  Real x[%d](each start = 1, each fixed = true);
equation
  der(x) = 2*u;
end M;
""" % (n, n, n)
        rc, out, err = call("linearize", write("M.mo", text))
        r = json.loads(out)
        check("no warnings", rc == 0 and not err, err)
        near("poles", r["poles"], [0] * n)
        near("zeros", r["zeros"], [])


def test_files():
    rc, _, err = call(
        "linearize", write("M.mo", OSCILLATOR), "-o", "m.json", "--mat", "m.mat", "--script",
        "m.m", "--bode", "b.svg", "--poles", "p.html",
    )
    check("writes", rc == 0, err)
    check("JSON", json.load(open("m.json"))["states"] == ["x", "v"])
    data = open("m.mat", "rb").read()
    matrices, at = {}, 0
    while at < len(data):
        kind, rows, columns, imaginary, size = struct.unpack_from("<5i", data, at)
        check("MAT 4 doubles", kind == 0 and imaginary == 0, kind)
        name = data[at + 20 : at + 19 + size].decode()
        values = struct.unpack_from("<%dd" % (rows * columns), data, at + 20 + size)
        matrices[name] = [list(values[i::rows]) for i in range(rows)]
        at += 20 + size + 8 * rows * columns
    near("MAT A", matrices["A"], [[0, 1], [-9, -1.2]])
    near("MAT C", matrices["C"], [[5, 2]])
    check("all matrices", sorted(matrices) == ["A", "B", "C", "D"], matrices)
    check("script", "A = [0, 1;" in open("m.m").read())
    check("plots", "<svg" in open("b.svg").read() and "<html" in open("p.html").read())
    call("linearize", "M.mo", "--script", "m.py")
    check("Python", "np.array([[0, 1]," in open("m.py").read())


def test_bad_input():
    path = write("M.mo", OSCILLATOR)
    rc, _, err = call("linearize", path, "--at", "soon")
    check("bad point", rc == 2 and "'end' or 'steady'" in err, err)
    rc, _, err = call("linearize", path, "--script", "m.txt")
    check("bad ending", rc == 2 and ".py" in err, err)
    ramp = "model M Real x(start=0, fixed=true); equation der(x) = 1 + x^2; end M;"
    rc, _, err = call("linearize", write("R.mo", ramp), "--at", "steady", "--stop-time", "1")
    check("no equilibrium", rc == 3 and "A004" in err and "rest: x" in err, err)
    for stop, reached in (("1", 1), ("3", math.pi / 2)):  # x = tan(t)
        options = ("--stop-time", stop, "-o", "r.json")
        rc, _, err = call("linearize", "R.mo", "--at", "steady", *options)
        with open("r.json") as f:
            r = json.load(f)
        check("what was reached", rc == 3 and "A004" in err and r["converged"] is False, err)
        near("its time", [[r["time"]]], [[reached]], 1e-5)


def test_driven_inputs():
    """Inputs that --input drives are inputs of the linear model, too."""
    text = OSCILLATOR.replace("input Real u;", "input Real u, f;").replace("= v;", "= v + f;")
    r = linear(text, "--input", "u=2 + time", "--at", "0.5")
    check("names", r["inputs"] == ["u", "f"], r["inputs"])
    near("B", r["B"], [[0, 1], [1, 0]])
    near("D", r["D"], [[0, 0]])
    write("u.csv", "time,u\n0,1\n1,3\n")
    near("a file", linear(text, "--input", "u.csv", "--at", "0.5")["B"], [[0, 1], [1, 0]])


def test_inputs_with_constant_values():
    """An input that a number drives, what follows from it alone, and elements of arrays."""
    text = """model M
  input Real u[2], w[1, 2];
  output Real y;
  Real a = 2*u[1], x(start = 1, fixed = true);
equation
  der(x) = -x + a + 3*u[2] + 5*w[1, 2];
  y = x + a;
end M;
"""
    for given in ("u={1, 2}", "u={time, 2}"):
        r = linear(text, "--input", given, "--input", "w=[3, 4]")
        check("names", r["inputs"] == ["u[1]", "u[2]", "w[1,1]", "w[1,2]"], r["inputs"])
        near("B", r["B"], [[2, 3, 0, 5]])
        near("D", r["D"], [[2, 0, 0, 0]])
    r = linear(text, "--input", "u[1]=1", "--input", "u[2]=4")
    near("elements", r["B"][0][:2], [2, 3])
    rc, out, err = call("linearize", "M.mo", "--set", "u[1]=3")
    check("set", rc == 2 and "is an input; drive it with --input u[1]=VALUE" in err, err)


def test_constant_input_of_sampled_model():
    """x' = -x + s, s = pre(s) + 2 u at each sample: over a period of 0.5."""
    text = """model M
  input Real u;
  output Real y = x;
  Real a = 2*u, x(start = 0, fixed = true);
  discrete Real s(start = 0, fixed = true);
equation
  der(x) = -x + s + a;
  when sample(0, 0.5) then
    s = pre(s) + a;
  end when;
end M;
"""
    e = math.exp(-0.5)
    for given in ((), ("--input", "u=1")):
        r = linear(text, "--at", "1", *given)
        near("B", r["B"], [[4 * (1 - e)], [2]], 1e-6)


def test_constant_input_while_sliding():
    """sign(x) = (1 + u)/4 on the surface; y' = -y + sign(x) + d, d = u + 0.1."""
    text = """model M
  input Real u;
  output Real y(start = 0, fixed = true);
  Real x(start = 0.3, fixed = true), d = u + 0.1;
equation
  der(x) = 0.9 + d - 4*(if x > 0 then 1 else -1);
  der(y) = -y + (if x > 0 then 1 else -1) + d;
end M;
"""
    r = linear(text, "--at", "end", "--input", "u=0.2")
    near("B along the surface", r["B"], [[1.25]], 1e-6)


def test_sliding_and_sampled_parts_are_reported():
    write(
        "Relay.mo",
        "model Relay\n  Real x(start = 1, fixed = true);\nequation\n"
        "  der(x) = if x > 0 then -1 else 1;\nend Relay;\n",
    )
    rc, out, err = call("linearize", "Relay.mo", "--at", "2", "--stop-time", "3")
    check("nothing moves", rc == 0 and json.loads(out)["states"] == [], (rc, out, err))
    write(
        "Ball.mo",
        "model Ball\n  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\nequation\n"
        "  der(h) = v;\n  der(v) = -9.81;\n  when h <= 0 then\n    reinit(v, -0.5*pre(v));\n"
        "  end when;\nend Ball;\n",
    )
    rc, _, err = call("linearize", "Ball.mo", "--at", "2", "--stop-time", "3")
    check("rest", rc == 3 and "A001" in err and "rests" in err, (rc, err))
    write(
        "Sampled.mo",
        "model Sampled\n  Real x(start = 1, fixed = true);\n  discrete Real u(start = 0), n;\n"
        "equation\n  der(x) = u - x;\n  when sample(0, 0.1) then\n    u = -0.5*x;\n"
        "  end when;\n  when sample(0, sqrt(2)) then\n    n = time;\n  end when;\nend Sampled;\n",
    )
    rc, out, err = call("linearize", "Sampled.mo")
    check("no period", rc == 0 and "A007" in err and '"A": [[-1]]' in out, (rc, out, err))
    rc, _, err = call("linearize", "Relay.mo", "--average")
    check("no mean", rc == 2 and "--at steady" in err, (rc, err))


def test_sliding():
    """Along c x + v = w u, the relay keeps v' = -c v, and x follows x' = w u - c x."""
    text = """model M
  parameter Real c = 2, w = 0.5;
  input Real u(start = 0.3);
  output Real y = x + 3*v;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = (if c*x + v > w*u then -5 else 5) + 0.7*x;
end M;
"""
    rc, out, err = call("linearize", write("M.mo", text), "--at", "1.5")
    check("sliding", rc == 0, err)
    r = json.loads(out)
    check("the state that the relay does not move", r["states"] == ["x"], r["states"])
    pole = r["poles"][0]["re"]
    check("pole", abs(pole + 2) < 1e-5, pole)
    # transfer function from u to y: v = w u - c x, so y = (1 - 3 c) x + 3 w u
    s = 1.3j
    wanted = (1 - 6) * 0.5 / (s + 2) + 3 * 0.5
    got = r["C"][0][0] * r["B"][0][0] / (s - r["A"][0][0]) + r["D"][0][0]
    check("response", abs(got - wanted) < 1e-4, (got, wanted))


def continuous_response(r, s):
    """C (s - A)^-1 B + D of the first input, by elimination."""
    n = len(r["A"])
    x = solve_linear([[(s if i == j else 0) - r["A"][i][j] for j in range(n)] for i in range(n)],
                     [row[0] for row in r["B"]])
    return [sum(c * v for c, v in zip(row, x)) + d[0] for row, d in zip(r["C"], r["D"])]


def test_past():
    """x' = -2 x - x(t - 0.5) + u(t - 0.1): the response has factors exp(-s T)."""
    text = """model D
  parameter Real tau = 0.5;
  input Real u;
  output Real y = 3*x, z = delay(y, 0.25) + u;
  Real x(start = 0, fixed = true);
equation
  der(x) = -2*x - delay(x, tau) + delay(u, %s);
end D;
"""
    for first, order in (("0.1", 4), ("0.1", 8), ("0.1 + 0*time", 5)):
        rc, out, err = call(
            "linearize", write("D.mo", text % first), "--pade", str(order), "--bode", "b.svg"
        )
        r = json.loads(out)
        check("delays are named", rc == 0 and "A012" in err and "Bode" in err, err)
        delays = sorted((d["of"], d["time"]) for d in r["delays"])
        check("delays", delays == [("u", 0.1), ("x", 0.5), ("y", 0.25)], delays)
        check("states", len(r["states"]) == len(r["A"]) == 1 + 3 * order, r["states"])
        check("D is exact", r["D"] == [[0], [1]], r["D"])
        for w, e in ((0, 1e-9), (0.5, 1e-8), (2, 1e-5), (6, 1e-2 if order == 4 else 1e-3)):
            s = 1j * w
            x = cmath.exp(-0.1 * s) / (s + 2 + cmath.exp(-0.5 * s))
            exact = (3 * x, 3 * x * cmath.exp(-0.25 * s) + 1)
            for got, wanted in zip(continuous_response(r, s), exact):
                check("response at %g" % w, abs(got - wanted) < e, (got, wanted))
        pole = -2 + 3j  # of s + 2 + exp(-s/2)
        for _ in range(50):
            pole -= (pole + 2 + cmath.exp(-0.5 * pole)) / (1 - 0.5 * cmath.exp(-0.5 * pole))
        miss = min(abs(complex(p["re"], p["im"]) - pole) for p in r["poles"])
        check("slowest poles", miss < (1e-3 if order == 4 else 1e-5), (miss, pole))
    rc, _, err = call("linearize", "D.mo", "--pade", "11")
    check("order", rc == 2 and "at most 10" in err, err)
    text = "model D\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = %s;\nend D;\n"
    write("R.mo", text % "4 - x^2 - 0.5*(delay(x, 0.2) - x)")
    rc, out, err = call("linearize", "R.mo", "--at", "steady", "--pade", "6")
    check("rest with a delay", rc == 0, err)
    pole = -4 + 0j  # at x = 2: s + 3.5 + 0.5 exp(-0.2 s)
    for _ in range(50):
        pole -= (pole + 3.5 + 0.5 * cmath.exp(-0.2 * pole)) / (1 - 0.1 * cmath.exp(-0.2 * pole))
    near("pole", max(p["re"] for p in json.loads(out)["poles"]), pole.real, 1e-4)
    write("R.mo", text % "-2*delay(x, 1)")
    rc, out, err = call("linearize", "R.mo", "--at", "steady")
    check("no rest with a delay", rc == 3 and "does not come to rest" in err, (rc, err))
    poles = [complex(p["re"], p["im"]) for p in json.loads(out)["poles"]]
    right = 0.2 + 1.7j  # s + 2 exp(-s): unstable, because 2 > pi/2
    for _ in range(50):
        right -= (right + 2 * cmath.exp(-right)) / (1 - 2 * cmath.exp(-right))
    check("unstable pole", min(abs(p - right) for p in poles) < 1e-4, (poles, right))


# ---- models with a period ----

CONTROLLER = """model M
  parameter Real T = 0.1, K = 2, Ki = 1;
  input Real r(start = 1);
  output Real y = x;
  output Real control = u;
  Real x(start = 0, fixed = true);
  discrete Real u(start = 0, fixed = true), xi(start = 0, fixed = true);
equation
  der(x) = -x + u;
  when sample(0, T) then
    xi = pre(xi) + Ki*T*(r - x);
    u = K*(r - x) + pre(xi);
  end when;
end M;
"""


def test_sampled_controller():
    """x(k+1) = e x + (1 - e) u with u = K (r - x) + xi, xi(k+1) = xi + Ki T (r - x)."""
    e = math.exp(-0.1)
    for options in ((), ("--at", "0.25"), ("--at", "steady")):
        r = linear(CONTROLLER, "--tolerance", "1e-9", *options)
        near("period", r["period"], 0.1, 1e-12)
        near("poles", sum(p["re"] for p in r["poles"]), e - 2 * (1 - e) + 1)
        if options == ("--at", "0.25"):  # between samples: u is a state too
            check("states", r["states"] == ["x", "xi", "u"], r)
            continue
        check("names", r["states"] == ["x", "xi"] and r["outputs"] == ["y", "control"], r)
        near("A", r["A"], [[e - 2 * (1 - e), 1 - e], [-0.1, 1]])
        near("B", r["B"], [[2 * (1 - e)], [0.1]])
        near("C", r["C"], [[1, 0], [-2, 1]])
        near("D", r["D"], [[0], [2]])


def test_boost():
    """The mean voltage of an ideal boost converter follows the duty cycle with Vg/(1 - d)^2, if the
    ripple is small. The counter of periods in mod is no state."""
    text = """model M
  parameter Real Vg = 10, L = 1e-4, C = 1e-4, R = 20, T = 1e-5;
  input Real d(start = 0.4);
  output Real v = vc;
  Real i(start = 1.4, fixed = true), vc(start = 16.6, fixed = true);
  Boolean on = mod(time, T) < d*T;
equation
  L*der(i) = Vg - (if on then 0 else vc);
  C*der(vc) = (if on then 0 else i) - vc/R;
end M;
"""
    rc, out, err = call("linearize", write("M.mo", text), "--at", "steady", "--average")
    check("quiet", rc == 0 and "warning" not in err, err)
    r = json.loads(out)
    check("states", r["states"] == ["i", "vc"], r["states"])
    (a, b), (c, d) = [[(i == j) - r["A"][i][j] for j in (0, 1)] for i in (0, 1)]
    u, w = r["B"][0][0], r["B"][1][0]
    rest = [(d * u - b * w) / (a * d - b * c), (a * w - c * u) / (a * d - b * c)]
    gain = r["C"][0][0] * rest[0] + r["C"][0][1] * rest[1] + r["D"][0][0]
    near("gain at rest", gain, 10 / 0.6**2, 2e-4)


def test_differentiated_inputs():
    """The rate of an input is not in the matrices, which is said. That of another does no harm."""
    model = """model M
  input Real %s, w;
  output Real y = %s;
  Real x(start = 0, fixed = true), v = u;
equation
  der(x) = w - x;
end M;
"""
    hidden = model.replace("= u;", "= sin(u);")
    for text, y, warns in ((model, "der(v)", 1), (hidden, "der(v)", 1), (model, "v", 0)):
        rc, out, err = call("linearize", write("M.mo", text % ("u", y)))
        said = "A013" in err and "its input u;" in err
        check(y, rc == 0 and said == bool(warns) and "input w" not in err, err)


def test_unit_circle():
    for name, text in (("sampled", CONTROLLER), ("continuous", OSCILLATOR)):
        rc, _, err = call("linearize", write("M.mo", text), "-o", "m.json", "--poles", "p.html")
        shown = "unit circle" in open("p.html").read()
        check(name, rc == 0 and shown == (name == "sampled"), err)


CLOCKED = """model M
  input Real r(start = 0);
  output Real y = x, control = uc;
  parameter Real kp = 2, ki = 0.3;
  Real x(start = 0.4, fixed = true), u, e, es, uc(start = 0), I(start = 0);
equation
  der(x) = u - x;
  e = sample(r - x, Clock(1, 10));
  es = subSample(e, 2);
  I = previous(I) + ki*es;
  uc = kp*es + I;
  u = hold(uc);
end M;
"""


def test_clocked_controller():
    """The same with a clock: at each second tick, I += ki (r - x), then u = kp (r - x) + I."""
    e = math.exp(-0.2)
    for options in ((), ("--at", "0.6"), ("--at", "steady")):
        r = linear(CLOCKED, "--tolerance", "1e-9", *options)
        near("period", r["period"], 0.2, 1e-12)
        check("states", r["states"] == ["x", "I"], r)
        near("A", r["A"], [[e - 2.3 * (1 - e), 1 - e], [-0.3, 1]])
        near("B", r["B"], [[2.3 * (1 - e)], [0.3]])
        near("C", r["C"], [[1, 0], [-2.3, 1]])
        near("D", r["D"], [[0], [2.3]])


def test_clocked_solver_method():
    """A filter in a clocked partition, by the implicit Euler method: c(k+1) = (c + h e)/(1 + h)."""
    text = """model M
  input Real r(start = 0);
  output Real y = x;
  Real x(start = 0, fixed = true), u, e, c(start = 0, fixed = true), uc;
equation
  der(x) = u - x;
  e = sample(r - x, Clock(Clock(1, 10), solverMethod = "ImplicitEuler"));
  der(c) = e - c;
  uc = 3*c + e;
  u = hold(uc);
end M;
"""
    a = math.exp(-0.1)
    trace = a - (1 - a) * (1 + 0.3 / 1.1) + 1 / 1.1
    determinant = (a - (1 - a) * (1 + 0.3 / 1.1)) / 1.1 + 3 * (1 - a) / 1.1 * 0.1 / 1.1
    r = linear(text)
    check("name", "previous(c)" in r["states"], r["states"])
    poles = [complex(p["re"], p["im"]) for p in r["poles"]]
    poles = sorted(poles, key=abs)[-2:]
    near("sum of poles", sum(poles), trace)
    near("product of poles", poles[0] * poles[1], determinant)


def test_first_sample():
    """A linear model at the start is that of the start, also if the motion leads away at once."""
    text = """model M
  input Real r(start = 0);
  output Real y = u;
  Real x(start = 1, fixed = true), z(start = 0, fixed = true);
  discrete Real u(start = 0, fixed = true);
equation
  der(x) = 5*x;
  der(z) = u - z;
  when sample(0, 0.2) then
    u = r - x^2;
  end when;
end M;
"""
    e = math.exp(-0.2)
    r = linear(text, "--tolerance", "1e-9")
    check("states", r["states"] == ["x", "z"], r)
    near("A", r["A"], [[math.exp(1), 0], [-2 * (1 - e), e]], 1e-8)
    near("C", r["C"], [[-2, 0]])
    r = linear(text, "--tolerance", "1e-9", "--at", "0.4")
    near("C", r["C"], [[-2 * math.exp(2), 0]], 1e-8)


BUCK = """model M
  parameter Real E = 24, L = 100e-6, C = 100e-6, R = 10, T = 1e-5;
  input Real d(start = 0.4);
  output Real y = v;
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


def response(r, frequency):
    """The response of the first output to the first input, one or two states."""
    z = cmath.exp(2j * math.pi * frequency * r["period"])
    a, b = r["A"], [row[0] for row in r["B"]]
    if len(a) == 1:
        x = [b[0] / (z - a[0][0])]
    else:
        det = (z - a[0][0]) * (z - a[1][1]) - a[0][1] * a[1][0]
        x = [
            ((z - a[1][1]) * b[0] + a[0][1] * b[1]) / det,
            (a[1][0] * b[0] + (z - a[0][0]) * b[1]) / det,
        ]
    return sum(c * v for c, v in zip(r["C"][0], x)) + r["D"][0][0]


def test_converter():
    """Control to output of a buck converter: E/(1 + s L/R + s² L C), and with discontinuous current
    2V/d (1-M)/(2-M) / (1 + s R C (1-M)/(2-M)) with M = V/E (Erickson, chapters 8 and 11)."""
    r = linear(BUCK, "--at", "steady", "--average")
    near("period", r["period"], 1e-5, 1e-12)
    near("frequency", r["poles"][0]["frequency"], 1 / (2 * math.pi * 1e-4), 1e-6)
    for f in (1, 100, 1000):
        s = 2j * math.pi * f
        wanted = 24 / (1 + s * 1e-5 + s * s * 1e-8)
        near("gain at %g" % f, abs(response(r, f)), abs(wanted), 3e-4)
        # the instant that moves is not the middle of the period
        phase = cmath.phase(response(r, f) / wanted)
        near("phase at %g" % f, phase, 2 * math.pi * f * 0.1e-5, 3e-4)
    r = linear(BUCK, "--at", "steady", "--average", "--set", "R=500", "--set", "C=1e-3")
    check("one state", r["states"] == ["v"], r)
    m = 2 / (1 + math.sqrt(1 + 4 * 0.04 / 0.16))
    near("gain", response(r, 0), 2 * 24 * m / 0.4 * (1 - m) / (2 - m), 1e-3)
    near("pole", r["poles"][0]["frequency"], (2 - m) / (1 - m) / (2 * math.pi * 0.5), 1e-3)


program.run_tests()
