"""kairos linearize against linear systems whose matrices, poles and zeros are known."""
import json, math, os, struct, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
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
    near("gain", r["B"][at["der(x)"]], [1])
    near("output", r["C"][0][at["x"]], 1)


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


def test_sliding_and_sampled_parts_are_reported():
    write(
        "Relay.mo",
        "model Relay\n  Real x(start = 1, fixed = true);\nequation\n"
        "  der(x) = if x > 0 then -1 else 1;\nend Relay;\n",
    )
    rc, _, err = call("linearize", "Relay.mo", "--at", "2", "--stop-time", "3")
    check("sliding", rc == 3 and "A001" in err and "slides" in err, (rc, err))
    write(
        "Sampled.mo",
        "model Sampled\n  Real x(start = 1, fixed = true);\n  discrete Real u(start = 0);\n"
        "equation\n  der(x) = u - x;\n  when sample(0, 0.1) then\n    u = -0.5*x;\n"
        "  end when;\nend Sampled;\n",
    )
    rc, out, err = call("linearize", "Sampled.mo")
    check("sampled", rc == 0 and "A007" in err and '"A": [[-1]]' in out, (rc, out, err))


program.run_tests()
