#!/usr/bin/env python3
"""multipliers.py KAIROS [--all]

Voltage multipliers (Cockcroft and Walton) of two to ten stages, with leaking and with ideal diodes,
against an integrator of our own. That integrator shares nothing with Kairos: it is implicit, of
order 2, with a fixed step, and in each stage finds the positions of all diodes by complementary
pivoting. It locates no events.
"""
import argparse, csv, math, os, re, subprocess, sys

GAMMA = 1 - 1 / math.sqrt(2)
ROUNDED = 1e-13


# ---- the independent integrator ----


def inverse(a):
    n = len(a)
    m = [list(row) + [float(i == j) for j in range(n)] for i, row in enumerate(a)]
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(m[i][k]))
        m[k], m[p] = m[p], m[k]
        m[k] = [x / m[k][k] for x in m[k]]
        for i in range(n):
            if i != k and m[i][k]:
                m[i] = [x - m[i][k] * y for x, y in zip(m[i], m[k])]
    return [row[n:] for row in m]


def product(a, b):
    return sum(x * y for x, y in zip(a, b))


class Multiplier:
    """Capacitors p[k] from node a[k-1] to a[k] push, capacitors q[k] from b[k-1] to b[k] smooth;
    a[0] is behind the source and its resistance, b[0] is ground. Diodes lead from b[k-1] to a[k]
    and from a[k] to b[k]. A diode has v = s, i = leak*s if s < 0, else v = leak*s, i = s."""

    def __init__(self, n, leak, C=1e-5, R=1.0, load=1e5, V=10.0, f=50.0):
        self.n, self.leak, self.C, self.R, self.load = n, leak, C, R, load
        self.V, self.w, self.known = V, 2 * math.pi * f, {}
        # the voltage of a diode is a sum of those of capacitors, and of a[0] with a sign
        self.voltage = []
        for k in range(1, n + 1):
            b0, a, b = self.at_b(k - 1), self.at_a(k), self.at_b(k)
            self.voltage.append([x - y for x, y in zip(b0, a)])
            self.voltage.append([x - y for x, y in zip(a, b)])
        # the current of a capacitor is a sum of those of diodes
        self.current = [[0.0] * (2 * n) for _ in range(2 * n)]
        for k in range(n):
            for d in range(k, n):
                self.current[k][2 * d] -= 1
                self.current[k][2 * d + 1] += 1
                self.current[n + k][2 * d + 1] -= 1
                if d + 1 < n:
                    self.current[n + k][2 * d + 2] += 1

    def at_a(self, k):
        return [-1.0 if j < k else 0.0 for j in range(self.n)] + [0.0] * self.n + [1.0]

    def at_b(self, k):
        return [0.0] * self.n + [-1.0 if j < k else 0.0 for j in range(self.n)] + [0.0]

    def matrices(self, off, h):
        """Of a stage c = old + h*der(c): c by the currents of diodes, the equations of the curve
        parameters, and their inverse."""
        if (off, h) in self.known:
            return self.known[off, h]
        n, m, g = self.n, 2 * self.n, h / self.C
        total = [sum(self.current[n + k][j] for k in range(n)) for j in range(m)]
        rest = g / (self.load + g * n)
        c_i = [
            [g * (self.current[r][j] - (rest * total[j] if r >= n else 0)) for j in range(m)]
            for r in range(m)
        ]
        rows = []
        for d in range(m):
            v = self.voltage[d]
            v_i = [
                sum(v[r] * c_i[r][j] for r in range(m)) - v[m] * self.R * self.current[0][j]
                for j in range(m)
            ]
            row = [-x * (self.leak if off[j] else 1) for j, x in enumerate(v_i)]
            row[d] += 1 if off[d] else self.leak
            rows.append(row)
        self.known[off, h] = c_i, rows, inverse(rows)
        return self.known[off, h]

    def stage(self, t, old, h, off):
        n, m, g = self.n, 2 * self.n, h / self.C
        rest = g / (self.load + g * n) * sum(old[n:])
        c0 = [x - (rest if r >= n else 0) for r, x in enumerate(old)]
        right = [product(v, c0 + [self.V * math.sin(self.w * t)]) for v in self.voltage]
        for turn in range(3000):
            c_i, rows, inv = self.matrices(off, h)
            s = [product(row, right) for row in inv]
            miss = [b - product(row, s) for row, b in zip(rows, right)]
            s = [x + product(row, miss) for x, row in zip(s, inv)]
            new = tuple(x < (ROUNDED if o else -ROUNDED) for x, o in zip(s, off))
            if new == off:
                i = [x * (self.leak if o else 1) for x, o in zip(s, off)]
                return [x + product(row, i) for x, row in zip(c0, c_i)], off
            if turn > 8:  # one at a time, the last one (Murty): this does not cycle
                k = max(k for k in range(m) if new[k] != off[k])
                new = off[:k] + (new[k],) + off[k + 1 :]
            off = new
        raise ArithmeticError("no position of the diodes at %g" % t)

    def run(self, stop, h):
        """Voltages of the capacitors at the end, p and q in turn."""
        steps = round(stop / h)
        h, c, off = stop / steps, [0.0] * (2 * self.n), (True,) * (2 * self.n)
        for k in range(steps):
            first, off = self.stage((k + GAMMA) * h, c, GAMMA * h, off)
            c = [x + (1 - GAMMA) / GAMMA * (y - x) for x, y in zip(c, first)]
            c, off = self.stage((k + 1) * h, c, GAMMA * h, off)
        return [x for pair in zip(c[: self.n], c[self.n :]) for x in pair]


# ---- the same circuit as a model ----

PARTS = """
package Parts
  connector Pin Real v; flow Real i; end Pin;
  partial model OnePort
    Pin p, n;
    Real v, i;
  equation
    v = p.v - n.v; 0 = p.i + n.i; i = p.i;
  end OnePort;
  model Ground Pin p; equation p.v = 0; end Ground;
  model Resistor extends OnePort; parameter Real R = 1; equation v = R*i; end Resistor;
  model Capacitor
    extends OnePort(v(start = 0, fixed = true)); parameter Real C = 1e-5;
  equation C*der(v) = i; end Capacitor;
  model Source
    extends OnePort;
  equation v = 10*sin(2*3.141592653589793*50*time) + i; end Source;
  model Diode extends OnePort; parameter Real leak = 0; Real s; Boolean off;
  equation
    off = s < 0; v = if off then s else leak*s; i = if off then leak*s else s;
  end Diode;
end Parts;
"""


def text(n, leak):
    parts = "  Parts.Ground g; Parts.Source s;"
    head = ["model Circuit", "  parameter Real leak = %r;" % leak, parts]
    body = ["equation", "  connect(s.n, g.p);"]
    for k in range(1, n + 1):
        a, b = ("s.p", "g.p") if k == 1 else ("p%d.n" % (k - 1), "q%d.n" % (k - 1))
        head.append("  Parts.Capacitor p%d, q%d;" % (k, k))
        head.append("  Parts.Diode d%d(leak = leak), e%d(leak = leak);" % (k, k))
        pairs = [(a, "p%d.p"), (b, "q%d.p"), (b, "d%d.p"), ("d%d.n", "p%d.n")]
        pairs += [("p%d.n", "e%d.p"), ("e%d.n", "q%d.n")]
        for x, y in pairs:
            body.append("  connect(%s, %s);" % (x % k if "%" in x else x, y % k))
    head.append("  Parts.Resistor load(R = 1e5);")
    body += ["  connect(q%d.n, load.p);" % n, "  connect(load.n, g.p);", "end Circuit;", ""]
    return PARTS + "\n".join(head + body)


def simulate(kairos, n, leak, structure, stop, written=False):
    """The same voltages, or the text of the failure. The leak is `written` in the model, or set for
    the run in a model of ideal diodes."""
    with open("circuit.mo", "w") as f:
        f.write(text(n, leak if written else 0))
    call = [kairos, "simulate", "circuit.mo", "--model", "Circuit", "--stop-time", repr(stop)]
    call += [] if written else ["--set", "leak=%r" % leak]
    call += ["--structure", structure, "--output", "r.csv", "--quiet"]
    try:
        p = subprocess.run(call, stderr=subprocess.PIPE, universal_newlines=True, timeout=120)
    except subprocess.TimeoutExpired:
        return "no end in 120 s"
    if p.returncode or "warning" in p.stderr:
        return p.stderr.strip().splitlines()[0] if p.stderr.strip() else "exit %d" % p.returncode
    with open("r.csv") as f:
        rows = list(csv.reader(f))
    last = dict(zip(rows[0], rows[-1]))
    return [float(last["%s%d.v" % (x, k)]) for k in range(1, n + 1) for x in "pq"]


def evaluations(kairos, leak):
    """The evaluations of derivatives of a run of two stages, or infinity if it fails."""
    with open("circuit.mo", "w") as f:
        f.write(text(2, leak))
    call = [kairos, "simulate", "circuit.mo", "--model", "Circuit", "--stop-time", "0.03"]
    call += ["--output", "r.csv", "--quiet", "--log", "stats"]
    try:
        p = subprocess.run(call, stderr=subprocess.PIPE, universal_newlines=True, timeout=120)
    except subprocess.TimeoutExpired:
        return math.inf
    found = re.search(r"([0-9]+) evaluations of derivatives", p.stderr)
    return int(found.group(1)) if found and not p.returncode else math.inf


# ---- the tests ----

MOST = 2e6  # evaluations: an explicit method near the events of a stiff circuit takes 1e7 to 1e8

FINE = (-10.0581, -14.3860, -14.7260, -12.2580)  # two stages, leak 1e-5, at 0.2 s, fine steps
LEAKS = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 0.0]
STRUCTURES = ["auto", "modes", "inline", "single"]


def cases(everything):
    if everything:
        return [
            (n, leak, s, 0.2, written)
            for n in range(2, 11)
            for leak in LEAKS
            for s in STRUCTURES
            for written in (False, True)
        ]
    few = [(2, leak, s, 0.06) for leak in LEAKS for s in STRUCTURES]
    few += [(2, leak, "auto", 0.06, True) for leak in LEAKS] + [(4, 1e-8, "auto", 0.03, True)]
    few += [(n, 1e-5, "auto", 0.03) for n in (3, 4, 6)] + [(3, 0.0, s, 0.05) for s in STRUCTURES]
    return few + [(4, 0.0, "single", 0.03), (5, 1e-9, "modes", 0.03), (10, 1e-7, "inline", 0.01)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kairos")
    parser.add_argument("--all", action="store_true", help="every number of stages and leak")
    args = parser.parse_args()
    kairos, failed, right = os.path.abspath(args.kairos), 0, {}
    jobs = cases(args.all)
    got = simulate(kairos, 2, 1e-5, "auto", 0.2)
    if isinstance(got, str) or max(abs(a - b) for a, b in zip(got, FINE)) > 2e-4:
        failed += 1
        print("two stages, leak 1e-5: %s instead of %s" % (got, FINE))
    for leak in (1e-7, 3e-9, 1e-9, 5e-10, 2e-10, 1e-11):
        count = evaluations(kairos, leak)
        if count > MOST:
            failed += 1
            print("two stages, leak %g: %g evaluations" % (leak, count))
    for n, leak, structure, stop, *written in jobs:
        if (n, leak, stop) not in right:
            right[n, leak, stop] = Multiplier(n, leak).run(stop, 1e-5)
        got = simulate(kairos, n, leak, structure, stop, *written)
        apart = 0
        if not isinstance(got, str):
            apart = max(abs(a - b) for a, b in zip(got, right[n, leak, stop]))
        if isinstance(got, str) or not apart < 5e-3:  # of 10 V: the integrator's own error
            failed += 1
            what = got if isinstance(got, str) else "off by %.3g" % apart
            print("%d stages, leak %g, %s, to %g: %s" % (n, leak, structure, stop, what))
    print("%d of %d runs failed" % (failed, len(jobs) + 7))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
