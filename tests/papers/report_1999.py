#!/usr/bin/env python3
"""report_1999.py KAIROS [test_NAME]...

"Modeling of mixed continuous/discrete systems in Modelica" (1999), section by section, with other
numbers. Friction (5.3) is in friction.py and formulations.py.
"""
import itertools, math, os, sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from elimination import solve_linear
from client import all_near, near, page, simulate, solve


def test_2_1_sampled_controller(kairos, r):
    """A plant of first order under a discrete controller: exact between samples."""
    for _ in range(3):
        a, b, c, d = (r.uniform(-0.6, 0.6) for _ in range(4))
        p, ts, ref = r.uniform(0.3, 2), r.uniform(0.05, 0.3), r.uniform(-2, 2)
        n, delayed = 11, r.random() < 0.5
        text = """model M
  Real xp(start = 0, fixed = true), y = xp;
  discrete Real xc(start = 0, fixed = true), w(start = 0, fixed = true), u(start = 0, fixed = true);
equation
  der(xp) = -(%r)*xp + u;
  when sample(0, %r) then
    xc = (%r)*pre(xc) + (%r)*(%r - y);
    w = (%r)*pre(xc) + (%r)*(%r - y);
    u = %s;
  end when;
end M;
""" % (
            p,
            ts,
            a,
            b,
            ref,
            c,
            d,
            ref,
            "pre(w)" if delayed else "w",
        )
        x = xc = w = 0.0
        for _ in range(n):
            new_w = c * xc + d * (ref - x)
            u = w if delayed else new_w
            xc, w = a * xc + b * (ref - x), new_w
            x = x * math.exp(-p * ts) + u * (1 - math.exp(-p * ts)) / p
        stop = n * ts - 1e-9 * ts
        got = simulate(kairos, text, "--stop-time", repr(stop), "--tolerance", "1e-9")
        near(got.end("xp"), x, 1e-7, text)


def test_2_1_priority(kairos, r):
    """Two conditions for one variable: the first wins if both become true at once."""
    for first, second in (0.3, 0.6), (0.6, 0.3), (0.5, 0.5):
        text = """model M
  Boolean c1 = time >= %r, c2 = time >= %r, close(start = false, fixed = true);
equation
  when {c1, c2} then
    close = edge(c1);
  end when;
end M;
""" % (
            first,
            second,
        )
        got = simulate(kairos, text, "--intervals", "10")
        near(got.end("close"), 1.0 if first >= second else 0.0, 0, text)


def test_2_1_loop_of_clauses(kairos, r):
    """Equations of clauses with one condition are one system."""
    for order in itertools.permutations(range(3)):
        k1, k2, u = r.uniform(-0.9, 0.9), r.uniform(-0.9, 0.9), r.uniform(-3, 3)
        clauses = [
            "  when c then\n    y = %r*x + z;\n  end when;\n" % k1,
            "  when c then\n    x = %r*y;\n  end when;\n" % k2,
            "  when c then\n    z = %r + 0.1*x;\n  end when;\n" % u,
        ]
        text = "model M\n  Boolean c = time > 0.5;\n  discrete Real x, y, z;\nequation\n"
        text += "".join(clauses[i] for i in order) + "end M;\n"
        got = simulate(kairos, text, "--intervals", "4")
        y = u / (1 - k1 * k2 - 0.1 * k2)
        near(got.end("y"), y, 1e-9, text)
        near(got.end("x"), k2 * y, 1e-9, text)


def test_2_2_two_point(kairos, r):
    """A two-point controller: each branch is an exponential."""
    for solver in "auto", "dopri5", "radau":
        y0, tau, w = r.uniform(0.5, 2), r.uniform(0.3, 1), r.uniform(2, 5)
        text = """model M
  Real u = sin(%r*time), y = if u > 0 then %r else -%r, x(start = 0, fixed = true);
equation
  %r*der(x) = y - x;
end M;
""" % (
            w,
            y0,
            y0,
            tau,
        )
        x, t, high, stop = 0.0, 0.0, True, 3.0
        while t < stop:
            end = min(stop, (math.floor(t * w / math.pi + 1e-9) + 1) * math.pi / w)
            target = y0 if high else -y0
            x = target + (x - target) * math.exp(-(end - t) / tau)
            t, high = end, not high
        options = "--stop-time", "3", "--tolerance", "1e-9", "--solver", solver
        near(simulate(kairos, text, *options).end("x"), x, 1e-7, text)


def test_2_2_no_event(kairos, r):
    """A root is never taken of a negative number, though u passes zero steeply."""
    for solver in "auto", "cvode", "dopri5", "radau":
        a = r.uniform(1, 5)
        text = (
            """model M
  Real u = %r - 10*time, y, x(start = 0, fixed = true);
equation
  y = if noEvent(u >= 0) then sqrt(u) else 0;
  der(x) = y;
end M;
"""
            % a
        )
        got = simulate(kairos, text, "--solver", solver, "--tolerance", "1e-8")
        near(got.end("x"), a**1.5 / 15, 1e-5, text)


def test_2_2_time_events(kairos, r):
    """time >= pre(nextTime): instants of any spacing."""
    first, growth = r.uniform(0.05, 0.2), r.uniform(1.1, 1.6)
    text = """model M
  discrete Real next(start = %r, fixed = true), gap(start = %r, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  when time >= pre(next) then
    gap = %r*pre(gap);
    next = pre(next) + gap;
    n = pre(n) + 1;
  end when;
end M;
""" % (
        first,
        first,
        growth,
    )
    got = simulate(kairos, text, "--stop-time", "4", "--intervals", "3")
    times, t, gap = [], first, first
    while t <= 4:
        times.append(t)
        gap *= growth
        t += gap
    all_near(got.changes("n"), times, 1e-9, text)


def test_2_3_pre(kairos, r):
    """off := s < 0 or pre(off) and not fire, iterated until pre(off) follows."""
    for on in (0.4, 1.1, 2.0):
        text = """model M
  Real s = cos(2*time), x(start = 1, fixed = true);
  Boolean fire = time >= %r and time < %r, off(start = true, fixed = true);
equation
  off = s < 0 or pre(off) and not fire;
  der(x) = if off then -x else -2*x;
end M;
""" % (
            on,
            on + 1.5,
        )
        off, t, exponent = True, 0.0, 0.0
        marks = sorted([on, on + 1.5] + [math.pi / 4 * k for k in (1, 3, 5, 7)] + [4.0])
        for mark in [m for m in marks if m <= 4]:
            exponent += (1 if off else 2) * (mark - t)
            t = mark
            later = t + 1e-9
            off = math.cos(2 * later) < 0 or off and not on <= later < on + 1.5
        got = simulate(kairos, text, "--stop-time", "4", "--tolerance", "1e-9")
        near(got.end("x"), math.exp(-exponent), 1e-7, text)


def test_2_4_ticks(kairos, r):
    """A slow sample that is counted from the fast one."""
    for every in 2, 5, 7:
        text = (
            """model M
  Boolean fast = sample(0, 0.1), slow(start = false, fixed = true);
  Integer ticks(start = 0, fixed = true), n(start = 0, fixed = true), m(start = 0, fixed = true);
equation
  when fast then
    ticks = if pre(ticks) < %d then pre(ticks) + 1 else 1;
    slow = ticks == 1;
    n = pre(n) + 1;
  end when;
  when slow then
    m = pre(m) + 1;
  end when;
end M;
"""
            % every
        )
        got = simulate(kairos, text, "--stop-time", "9.95")
        near(got.end("n"), 100, 0, text)
        near(got.end("m"), math.ceil(100 / every), 0, text)


def test_2_5_filters(kairos, r):
    """Filters in a row that begin at rest, for any input; one is reset later."""
    n = 4
    gains, times = [r.uniform(0.5, 2) for _ in range(n)], [r.uniform(0.1, 1) for _ in range(n)]
    u = r.uniform(-3, 3)
    text = """package P
  block PT1
    parameter Real T, k;
    input Real u;
    input Boolean reset;
    output Real y;
    Real x;
  equation
    der(x) = (u - x)/T;
    y = k*x;
    when {initial(), reset} then
      reinit(x, if reset then 0 else u);
    end when;
  end PT1;
  model M
    PT1 b[%d](T = {%s}, k = {%s}, each reset = time >= 1);
  equation
    b[1].u = %r;
    for i in 2:%d loop
      b[i].u = b[i - 1].y;
    end for;
  end M;
end P;
""" % (
        n,
        ", ".join(map(repr, times)),
        ", ".join(map(repr, gains)),
        u,
        n,
    )
    options = "--model", "P.M", "--stop-time", "2", "--tolerance", "1e-9"
    got = simulate(kairos, text, *options, "--intervals", "200")
    level = u
    for i in range(n):
        near(got.at("b[%d].x" % (i + 1), 0.5), level, 1e-9, text)
        level *= gains[i]
    near(got.at("b[1].x", 2.0), u * (1 - math.exp(-1 / times[0])), 1e-7, text)


def test_2_5_balls(kairos, r):
    """Impacts at their times, for other heights, gravities and restitutions."""
    for _ in range(3):
        e, g, h = r.uniform(0.3, 0.9), r.uniform(1, 20), r.uniform(0.2, 3)
        text = """model M
  Real h(start = %r, fixed = true), v(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -%r;
  when h <= 0 then
    reinit(v, -%r*pre(v));
    n = pre(n) + 1;
  end when;
end M;
""" % (
            h,
            g,
            e,
        )
        fall = math.sqrt(2 * h / g)
        times = [fall + sum(2 * fall * e**j for j in range(1, k + 1)) for k in range(5)]
        stop = times[-1] + fall * e**5
        got = simulate(kairos, text, "--stop-time", repr(stop), "--tolerance", "1e-9")
        all_near(got.changes("n"), times, 1e-7, text)


RECTIFIER = """model M
  Real u = %r*sin(%r*time), v(start = 0, fixed = true), i, ud%s;
  Boolean off(start = true, fixed = true);
equation
%s
  u = %r*i + ud + v;
  %r*der(v) = i - v/%r;
end M;
"""
DIODES = {
    "4.1": (
        "",
        "  0 = if pre(off) then i else ud;\n"
        "  off = pre(off) and ud <= 0 or not pre(off) and i < 0;",
    ),
    "4.3": (", s", "  off = s < 0;\n  ud = if off then s else 0;\n  i = if off then 0 else s;"),
}


def test_4_diodes(kairos, r):
    """The rectifier of figure 4 by automaton and by curve parameter."""
    for _ in range(3):
        amplitude, w = r.uniform(1, 50), r.uniform(2, 400)
        R1, C, R2 = 10 ** r.uniform(-1, 1), 10 ** r.uniform(-2, 0) / w, r.uniform(5, 200)
        source = lambda t: amplitude * math.sin(w * t)
        modes = {
            "off": (lambda t, x: [-x[0] / R2 / C], [(lambda t, x: source(t) - x[0], "on", None)]),
            "on": (
                lambda t, x: [((source(t) - x[0]) / R1 - x[0] / R2) / C],
                [(lambda t, x: x[0] - source(t), "off", None)],
            ),
        }
        stop = 3.3 * 2 * math.pi / w
        rate = max(1 / (R1 * C), w)
        right, _, _ = solve(modes, "on", [0.0], stop, 0.02 / rate)
        for name, (extra, equations) in DIODES.items():
            text = RECTIFIER % (amplitude, w, extra, equations, R1, C, R2)
            if name == "4.3":
                text = text.replace("(start = true, fixed = true);\nequation", ";\nequation")
            for solver in "auto", "dopri5", "radau":
                options = "--stop-time", repr(stop), "--tolerance", "1e-9", "--solver", solver
                got = simulate(kairos, text, *options)
                near(got.end("v"), right[0], 1e-6 * amplitude, name + " " + solver + text)


def test_5_1_hysteresis(kairos, r):
    """Figure 7: y stays until u passes the other threshold."""
    low, high = -r.uniform(0.2, 0.9), r.uniform(0.2, 0.9)
    text = """model M
  Real u = sin(time), y;
  Boolean on(start = false, fixed = true);
equation
  on = u > %r or pre(on) and u > %r;
  y = if on then 1 else -1;
end M;
""" % (
        high,
        low,
    )
    got = simulate(kairos, text, "--stop-time", "10")
    up, down = math.asin(high), math.pi - math.asin(low)
    turn = 2 * math.pi
    all_near(got.changes("on"), [up, down, up + turn, down + turn][: 3 + (down + turn < 10)], 1e-8)


def test_5_2_thyristor(kairos, r):
    """A thyristor before a resistor: it fires on request, and turns off at zero."""
    for _ in range(3):
        fire, R = r.uniform(0.3, 2.8), r.uniform(1, 20)
        text = """model M
  Real u0 = 10*sin(time), s, u, i, q(start = 0, fixed = true);
  Boolean fire = sin(time - %r) > 0 and cos(time - %r) > 0.5, off(start = true, fixed = true);
equation
  off = s < 0 or pre(off) and not fire;
  u = if off then s else 0;
  i = if off then 0 else s;
  u0 = u + %r*i;
  der(q) = i;
end M;
""" % (
            fire,
            fire,
            R,
        )
        charge = 10 / R * (math.cos(fire) + 1)
        got = simulate(kairos, text, "--stop-time", "12", "--tolerance", "1e-9")
        near(got.end("q"), 2 * charge, 1e-6, text)


def test_6_mixed_systems(kairos, r):
    """Random complementarity problems A s+ = b + s-, by every method: A is positive definite, so
    that exactly one combination of signs is consistent."""
    for n in 2, 3, 4, 5:
        B = [[r.uniform(-1, 1) for _ in range(n)] for _ in range(n)]
        A = [
            [sum(B[i][k] * B[j][k] for k in range(n)) + (i == j) * 0.5 for j in range(n)]
            for i in range(n)
        ]
        b = [r.uniform(-2, 2) for _ in range(n)]
        right = complementarity(A, b)
        rows = ", ".join("{" + ", ".join(map(repr, row)) + "}" for row in A)
        text = """model M
  parameter Real A[%d, %d] = {%s}, b[%d] = {%s};
  Real s[%d], z[%d], w[%d];
equation
  for k in 1:%d loop
    z[k] = if s[k] > 0 then s[k] else 0;
    w[k] = if s[k] > 0 then 0 else -s[k];
  end for;
  A*z = (1 + 0*time)*b + w;
end M;
""" % (
            n,
            n,
            rows,
            n,
            ", ".join(map(repr, b)),
            n,
            n,
            n,
            n,
        )
        for method in "auto", "limited", "search":
            got = simulate(kairos, text, "--intervals", "2", "--mixed", method)
            for k in range(n):
                near(got.end("z[%d]" % (k + 1)), right[k], 1e-8, method + "\n" + text)


def test_6_4_discrete_loop(kairos, r):
    """y1 and y2 need each other: the iteration from their values before the event settles them."""
    for order in (0, 1):
        level, w, shift = r.uniform(0.2, 0.8), r.uniform(1.5, 3), r.uniform(0, 3)
        equations = ["  y1 = x1 > x2 or y2;", "  y2 = y1 and x3 < 0;"]
        text = """model M
  Real x1 = sin(%r*time), x2 = %r, x3 = cos(time + %r);
  Boolean y1, y2;
equation
%s
end M;
""" % (
            w,
            level,
            shift,
            "\n".join(equations[::-1] if order else equations),
        )
        x1 = lambda t: math.sin(w * t) > level
        x3 = lambda t: math.cos(t + shift) < 0
        marks = [(math.asin(level) + 2 * math.pi * k) / w for k in range(9)]
        marks += [(math.pi - math.asin(level) + 2 * math.pi * k) / w for k in range(9)]
        marks += [math.pi * (k + 0.5) - shift for k in range(9)]
        y1 = y2 = False
        changes = []
        for t in sorted(m for m in marks if 0 < m < 9):
            before = y2
            for _ in range(4):
                y1 = x1(t + 1e-7) or y2
                y2 = y1 and x3(t + 1e-7)
            if y2 != before:
                changes.append(t)
        got = simulate(kairos, text, "--stop-time", "9")
        all_near(got.changes("y2"), changes, 1e-7, text)


def complementarity(A, b):
    """z >= 0, w = A z - b >= 0, z w = 0, by trying all combinations."""
    n = len(b)
    for active in itertools.product((False, True), repeat=n):
        index = [k for k in range(n) if active[k]]
        part = solve_linear([[A[i][j] for j in index] for i in index], [b[i] for i in index])
        z = [0.0] * n
        for k, value in zip(index, part):
            z[k] = value
        w = [sum(A[i][j] * z[j] for j in range(n)) - b[i] for i in range(n)]
        if all(x >= 0 for x in z) and all(w[i] >= -1e-12 for i in range(n)):
            return z
    raise ArithmeticError("no solution")


def test_7_relations_at_zero(kairos, r):
    """A crossing function that is zero at a restart neither fires at once nor is missed, in either
    direction and for each operator."""
    for op, sign in itertools.product((">", ">=", "<", "<="), (1, -1)):
        slope = sign * r.uniform(0.5, 2)
        text = """model M
  Real z(start = 0, fixed = true);
  Boolean b = z %s 0;
  Integer n(start = 0, fixed = true);
equation
  der(z) = if time < 0.25 then 0 elseif time < 0.5 then %r else -(%r);
  when change(b) then
    n = pre(n) + 1;
  end when;
end M;
""" % (
            op,
            slope,
            slope,
        )
        got = simulate(kairos, text, "--intervals", "8", "--tolerance", "1e-8")
        at_zero = op in (">=", "<=")
        after = (slope > 0) == (op[0] == ">")
        changes = (1 if after != at_zero else 0) + 1
        near(got.end("b"), 0.0 if after else 1.0, 0, text)
        near(got.end("n"), changes, 0, text)


if __name__ == "__main__":
    sys.exit(page(globals()))
