"""Random piecewise-linear circuits, simulated by modes, by inline integration and with leaks.

Voltages of capacitors and currents of inductors must agree. Currents through parallel ideal
elements, and floating voltages, are not compared. A run with leaks that fails is counted
separately. So is a circuit whose runs with equal and with unequal leaks differ: if several diodes
meet in one jump, the ratio of the leaks decides, and no limit is unique. With --joined, three
circuits are one model, with only time in common: each must behave as it does alone.

usage: circuits.py KAIROS [--count N] [--seed N] [--built] [--joined] [--keep FOLDER]"""
import argparse, csv, os, random, subprocess, sys, tempfile

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
  model Capacitor extends OnePort(v(start = v0, fixed = true)); parameter Real C = 1, v0 = 0; equation C*der(v) = i; end Capacitor;
  model Inductor extends OnePort(i(start = 0, fixed = true)); parameter Real L = 1; equation L*der(i) = v; end Inductor;
  model Windings "two that share a core; n2 is the end of the second"
    Pin p, n, p2, n2;
    parameter Real L = 1, L2 = 1, k = 0.5;
    Real i(start = 0, fixed = true), i2(start = 0, fixed = true);
  equation
    i = p.i; i2 = p2.i; 0 = p.i + n.i; 0 = p2.i + n2.i;
    L*der(i) + k*sqrt(L*L2)*der(i2) = p.v - n.v;
    k*sqrt(L*L2)*der(i) + L2*der(i2) = p2.v - n2.v;
  end Windings;
  model Source extends OnePort; parameter Real V = 1, w = 1, R = 1; equation v = V*sin(w*time) + R*i; end Source;
  model Diode extends OnePort; parameter Real leak = 0; Real s; Boolean off;
  equation
    off = s < 0; v = if off then s else leak*s; i = if off then leak*s else s;
  end Diode;
  model Switch extends OnePort; parameter Real leak = 0, T = 1; Boolean closed;
  equation
    closed = sin(6.283185307179586*time/T) > 0.3; 0 = if closed then v - leak*i else i - leak*v;
  end Switch;
end Parts;
"""


def circuit(rng):
    """Elements as (kind, name, nodes, parameters): a tree of random elements over the nodes,
    closed by more."""
    n_nodes, n = rng.randint(2, 6), rng.randint(2, 20)
    kinds = ["Resistor", "Capacitor", "Inductor", "Diode", "Switch", "Source"]
    elements = []
    joined = list(range(n_nodes))  # by capacitors: loops of them have no free start values

    def add(kind, a, b):
        if kind == "Capacitor" and joined[a] == joined[b]:
            kind = "Resistor"
        elif kind == "Capacitor":
            joined[:] = [joined[a] if k == joined[b] else k for k in joined]
        value, share = round(rng.uniform(0.5, 2), 2), round(len(elements) * 0.37 % 1, 2)
        par = {
            "Resistor": f"R={value}",
            "Capacitor": f"C={value}, v0={round(rng.uniform(-2, 2), 2)}",
            "Inductor": f"L={value}",
            "Source": (
                f"V={round(rng.uniform(1, 5), 2)}, w={round(rng.uniform(1, 4), 2)}, R={value}"
            ),
            "Diode": f"leak=leak*(1+spread*{share})",
            "Switch": f"leak=leak*(1+spread*{share}), T={round(rng.uniform(1.5, 4), 3)}",
        }[kind]
        elements.append((kind, f"e{len(elements)}", a, b, par))

    add("Source", 0, rng.randrange(1, n_nodes))
    for node in range(1, n_nodes):
        add(rng.choice(kinds[:3] if rng.random() < 0.5 else kinds), rng.randrange(node), node)
    while len(elements) < n:
        a, b = rng.sample(range(n_nodes), 2)
        add(rng.choice(kinds), a, b)
    return n_nodes, elements


class Builder:
    """Circuits of the usual parts of power electronics: sources, coupled windings, bridges,
    legs, filters, in a row from node to node."""

    def __init__(self, rng):
        self.rng, self.elements, self.n_nodes = rng, [], 1

    def node(self):
        self.n_nodes += 1
        return self.n_nodes - 1

    def value(self, low=0.5, high=2):
        return round(self.rng.uniform(low, high), 2)

    def add(self, kind, a, b, more=(), **par):
        if kind in ("Diode", "Switch"):
            par["leak"] = f"leak*(1+spread*{round(len(self.elements)*0.37 % 1, 2)})"
        if kind == "Switch":
            par.setdefault("T", self.value(1.5, 4))
        self.elements.append(
            (
                kind,
                f"e{len(self.elements)}",
                a,
                b,
                ", ".join(f"{k}={v}" for k, v in par.items()),
                *more,
            )
        )

    def source(self):
        a = self.node()
        self.add("Source", 0, a, V=self.value(1, 5), w=self.value(1, 4), R=self.value())
        return a, 0

    def windings(self, a, b):
        c = self.node()
        self.add("Windings", a, b, (c, 0), L=self.value(), L2=self.value(), k=self.value(0.2, 0.95))
        return c, 0

    def bridge(self, a, b):
        """Four diodes between (a, b) and a new pair, of which the lower floats; a resistor ties
        it to ground."""
        p, m = self.node(), self.node()
        for x in (a, b):
            self.add("Diode", x, p)
            self.add("Diode", m, x)
        self.add("Resistor", m, 0, R=self.value(20, 50))
        return p, m

    def leg(self, a, b):
        """Two switches with diodes beside them; the output is their middle."""
        c, T = self.node(), self.value(1.5, 4)
        for x, y in ((a, c), (c, b)):
            self.add("Switch", x, y, T=T if x == a else self.value(1.5, 4))
            self.add("Diode", y, x)
        return c, b

    def single(self, a, b):
        c = self.node()
        self.add(self.rng.choice(["Diode", "Switch"]), a, c)
        return c, b

    def filter(self, a, b):
        c = self.node()
        kind, name = self.rng.choice([("Inductor", "L"), ("Resistor", "R")])
        self.add(kind, a, c, **{name: self.value()})
        return c, b

    def load(self, a, b):
        self.add("Resistor", a, b, R=self.value(1, 5))
        if self.rng.random() < 0.6:
            self.add("Capacitor", a, b, C=self.value(), v0=0)

    def build(self):
        at = self.source()
        for _ in range(self.rng.randint(1, 3)):
            at = self.rng.choice([self.windings, self.bridge, self.leg, self.single, self.filter])(
                *at
            )
            if self.rng.random() < 0.4:
                self.load(*at)
        self.load(*at)
        return self.n_nodes, self.elements


def text(n_nodes, elements, model="Circuit"):
    lines = [f"model {model}", "  parameter Real leak = 0, spread = 0;", "  Parts.Ground g;"]
    lines += [f"  Parts.{e[0]} {e[1]}({e[4]});" for e in elements]
    lines.append("equation")
    pins = {0: ["g.p"]}
    for _, name, a, b, _, *more in elements:
        for node, pin in zip((a, b, *more), (".p", ".n", ".p2", ".n2")):
            pins.setdefault(node, []).append(name + pin)
    for node in pins.values():
        lines += [f"  connect({node[0]}, {other});" for other in node[1:]]
    return "\n".join(lines + [f"end {model};", ""])


def run(kairos, path, out, options):
    p = subprocess.run(
        [
            kairos,
            "simulate",
            path,
            "--model",
            "Circuit",
            "--stop-time",
            "5",
            "--intervals",
            "50",
            "--tolerance",
            "1e-7",
            "--output",
            out,
        ]
        + options,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return p.returncode, p.stderr


def rows(path):
    data = list(csv.reader(open(path)))
    table = {}
    for row in data[1:]:
        table.setdefault(round(float(row[0]), 9), [float(x) for x in row])  # left limits
    return data[0], table


def compare(a, b, elements, within=""):
    """The largest difference of unique values, relative to their range, away from events. In b they
    are in the component `within`."""
    head, ta = a
    worst = (0, "", 0)
    unique = {"Capacitor": [".v"], "Inductor": [".i"], "Windings": [".i", ".i2"]}
    names = [e[1] + what for e in elements for what in unique.get(e[0], [])]
    for name in names:
        ia, ib = head.index(name), b[0].index(within + name)
        size = max([1.0] + [abs(r[ia]) for r in ta.values()])
        for k in range(1, 51):
            t = round(k * 0.1, 9)
            if t in ta and t in b[1]:
                d = abs(ta[t][ia] - b[1][t][ib]) / size
                if not d <= worst[0]:
                    worst = (d, name, t)
    return worst


RUNS = {
    "modes": [],
    "inline": ["--solver", "inline-radau"],
    "leaks": ["--solver", "radau", "--set", "leak=1e-9"],
    "unequal leaks": ["--solver", "radau", "--set", "leak=1e-9", "--set", "spread=20"],
    "other leaks": ["--solver", "radau", "--set", "leak=2e-8", "--set", "spread=-0.97"],
}
APART = 1e-3  # of the range of a variable


class Trial:
    """One circuit, run in each way when first asked for."""

    def __init__(self, kairos, seed, folder, keep, built):
        self.kairos, self.folder, self.seen = kairos, folder, {}
        rng = random.Random(seed)
        self.n_nodes, self.elements = Builder(rng).build() if built else circuit(rng)
        self.path = os.path.join(keep or folder, f"c{seed}.mo")
        open(self.path, "w").write(PARTS + text(self.n_nodes, self.elements))

    def result(self, how):
        """(rows, None) or (None, why not)"""
        if how not in self.seen:
            out = os.path.join(self.folder, how.replace(" ", "-") + ".csv")
            try:
                rc, err = run(self.kairos, self.path, out, RUNS[how])
            except subprocess.TimeoutExpired:
                rc, err = 99, "timeout"
            why = (
                f"{how}: exit {rc}: "
                + " | ".join(l for l in err.splitlines() if "error" in l or l == "timeout")[:160]
            )
            self.seen[how] = (None, why) if rc else (rows(out), None)
        return self.seen[how]

    def apart(self, a, b):
        """(how far, where) two ways differ; (0, "") if one of them has no result."""
        ra, rb = self.result(a)[0], self.result(b)[0]
        w = compare(ra, rb, self.elements) if ra and rb else (0, "", 0)
        return w[0], f"{a} and {b} differ by {w[0]:.3g} in {w[1]} at {w[2]}"

    def judge(self):
        """(complaints, failed with leaks, not unique)"""
        said = [why for how in ("modes", "inline") if (why := self.result(how)[1])]
        far, where = self.apart("modes", "inline")
        if not far < APART:
            said.append(where)
        far, where = self.apart("modes", "leaks")
        vague = not far < APART and any(
            self.apart("leaks", other)[0] > 0.1 * far for other in ("unequal leaks", "other leaks")
        )
        if not far < APART and not vague:
            said.append(where)
        return said, self.result("leaks")[0] is None, vague


def judge_joined(kairos, trials, folder):
    """Complaints about circuits in one model; those that do not run alone are left out."""
    trials = [t for t in trials if t.result("modes")[0]]
    path, out = os.path.join(folder, "joined.mo"), os.path.join(folder, "joined.csv")
    with open(path, "w") as f:
        f.write(
            PARTS
            + "".join(text(t.n_nodes, t.elements, f"Circuit{i}") for i, t in enumerate(trials))
        )
        f.write(
            "model Circuit\n"
            + "".join(f"  Circuit{i} c{i};\n" for i in range(len(trials)))
            + "end Circuit;\n"
        )
    rc, err = run(kairos, path, out, [])
    if rc:
        return [
            f"joined: exit {rc}: " + " | ".join(l for l in err.splitlines() if "error" in l)[:160]
        ]
    both = rows(out)
    worst = [
        compare(t.result("modes")[0], both, t.elements, f"c{i}.") for i, t in enumerate(trials)
    ]
    return [
        f"c{i}.{w[1]} differs by {w[0]:.3g} at {w[2]} from the circuit alone"
        for i, w in enumerate(worst)
        if not w[0] < APART
    ]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("kairos")
    ap.add_argument("--count", type=int, default=30)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--keep")
    ap.add_argument(
        "--built",
        action="store_true",
        help="bridges, legs and coupled windings instead of anything anywhere",
    )
    ap.add_argument(
        "--joined", action="store_true", help="three circuits in one model, against each alone"
    )
    args = ap.parse_args()
    bad = good = leaks = vague = 0
    with tempfile.TemporaryDirectory() as d:
        for k in range(args.seed, args.seed + args.count):
            trial = Trial(args.kairos, k, d, args.keep, args.built)
            if args.joined:
                others = [
                    Trial(args.kairos, k + 1000 * i, tempfile.mkdtemp(dir=d), args.keep, args.built)
                    for i in (1, 2)
                ]
                said, failed, unsure = (
                    judge_joined(args.kairos, [trial] + others, args.keep or d),
                    0,
                    0,
                )
            else:
                said, failed, unsure = trial.judge()
            leaks += failed
            vague += unsure
            good += not said
            if said:
                bad += 1
                print(
                    f"circuit {k} ({len(trial.elements)} elements): " + "; ".join(said), flush=True
                )
    print(
        f"{good} agree, {bad} do not; {leaks} runs with leaks failed, {vague} depend on the leaks"
    )
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
