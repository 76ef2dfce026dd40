"""Random piecewise-linear circuits, simulated by modes, by inline integration and with leaks; voltages of capacitors and currents of
inductors must agree; what flows through parallel ideal elements, and what floats, is no one's business. A run with leaks that fails is no fault
of the others: it is counted apart. usage: circuits.py KAIROS [--count N] [--seed N] [--keep FOLDER]"""
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
    """Elements as (kind, name, nodes, parameters): a tree of random elements over the nodes, closed by more."""
    n_nodes, n = rng.randint(2, 6), rng.randint(2, 20)
    kinds = ["Resistor", "Capacitor", "Inductor", "Diode", "Switch", "Source"]
    elements = []
    joined = list(range(n_nodes))  # by capacitors: loops of them have no free start values
    def add(kind, a, b):
        if kind == "Capacitor" and joined[a] == joined[b]:
            kind = "Resistor"
        elif kind == "Capacitor":
            joined[:] = [joined[a] if k == joined[b] else k for k in joined]
        value = round(rng.uniform(0.5, 2), 2)
        par = {"Resistor": f"R={value}", "Capacitor": f"C={value}, v0={round(rng.uniform(-2, 2), 2)}", "Inductor": f"L={value}",
               "Source": f"V={round(rng.uniform(1, 5), 2)}, w={round(rng.uniform(1, 4), 2)}, R={value}", "Diode": "leak=leak",
               "Switch": f"leak=leak, T={round(rng.uniform(1.5, 4), 3)}"}[kind]
        elements.append((kind, f"e{len(elements)}", a, b, par))
    add("Source", 0, rng.randrange(1, n_nodes))
    for node in range(1, n_nodes):
        add(rng.choice(kinds[:3] if rng.random() < 0.5 else kinds), rng.randrange(node), node)
    while len(elements) < n:
        a, b = rng.sample(range(n_nodes), 2)
        add(rng.choice(kinds), a, b)
    return n_nodes, elements


def text(n_nodes, elements):
    lines = [PARTS, "model Circuit", "  parameter Real leak = 0;", "  Parts.Ground g;"]
    lines += [f"  Parts.{kind} {name}({par});" for kind, name, _, _, par in elements]
    lines.append("equation")
    pins = {0: ["g.p"]}
    for _, name, a, b, _ in elements:
        pins.setdefault(a, []).append(name + ".p")
        pins.setdefault(b, []).append(name + ".n")
    for node in pins.values():
        lines += [f"  connect({node[0]}, {other});" for other in node[1:]]
    return "\n".join(lines + ["end Circuit;", ""])


def run(kairos, path, out, options):
    p = subprocess.run([kairos, "simulate", path, "--model", "Circuit", "--stop-time", "5", "--intervals", "50", "--tolerance", "1e-7",
                        "--output", out] + options, capture_output=True, text=True, timeout=60)
    return p.returncode, p.stderr


def rows(path):
    data = list(csv.reader(open(path)))
    table = {}
    for row in data[1:]:
        table.setdefault(round(float(row[0]), 9), [float(x) for x in row])   # left limits
    return data[0], table


def compare(a, b, elements):
    """The largest difference of what is unique, relative to its range, away from events."""
    head, ta = a
    worst = (0, "", 0)
    names = [name + (".v" if kind == "Capacitor" else ".i") for kind, name, _, _, _ in elements if kind in ("Capacitor", "Inductor")]
    for name in names:
        ia, ib = head.index(name), b[0].index(name)
        size = max([1.0] + [abs(r[ia]) for r in ta.values()])
        for k in range(1, 51):
            t = round(k*0.1, 9)
            if t in ta and t in b[1]:
                d = abs(ta[t][ia] - b[1][t][ib])/size
                if not d <= worst[0]:
                    worst = (d, name, t)
    return worst


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("kairos"); ap.add_argument("--count", type=int, default=30); ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--keep")
    args = ap.parse_args()
    bad = good = leaks = 0
    with tempfile.TemporaryDirectory() as d:
        for k in range(args.seed, args.seed + args.count):
            n_nodes, elements = circuit(random.Random(k))
            path = os.path.join(args.keep or d, f"c{k}.mo")
            open(path, "w").write(text(n_nodes, elements))
            results, said = {}, []
            for how, options in (("modes", []), ("inline", ["--solver", "inline-radau"]), ("leaks", ["--set", "leak=1e-9"])):
                out = os.path.join(d, how + ".csv")
                try:
                    rc, err = run(args.kairos, path, out, options)
                except subprocess.TimeoutExpired:
                    rc, err = 99, "timeout"
                if rc and how == "leaks":
                    leaks += 1
                elif rc:
                    said.append(f"{how}: exit {rc}: " + " | ".join(l for l in err.splitlines() if "error" in l or l == "timeout")[:160])
                else:
                    results[how] = rows(out)
            for other in ("inline", "leaks"):
                if "modes" in results and other in results:
                    w = compare(results["modes"], results[other], elements)
                    if not w[0] < 1e-3:
                        said.append(f"modes and {other} differ by {w[0]:.3g} in {w[1]} at {w[2]}")
            if said:
                bad += 1
                print(f"circuit {k} ({len(elements)} elements): " + "; ".join(said), flush=True)
            else:
                good += 1
    print(f"{good} agree, {bad} do not; {leaks} runs with leaks failed")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
