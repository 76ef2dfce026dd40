#!/usr/bin/env python3
"""friction.py KAIROS [--count N] [--seed S]

Chains of blocks with dry friction, by the automaton of the 1993 paper
(examples/dymola/TwoBlock.dym), against an event-driven integrator of our own. That integrator
shares nothing with Kairos: blocks that stick to each other are one rigid body, the forces between
them follow by summation, and each change between sticking and sliding is located by bisection.
"""
import argparse, csv, math, os, random, subprocess, sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROWS = ["--output-points", "grid"]  # few rows, although several events lie between them


# ---- the independent integrator ----


class Chain:
    """Contact i connects block i - 1 and block i; block 0 is the ground. Force i is the sum of
    a*sin(w*t + p)."""

    def __init__(self, m, peak, slide, viscous, forces):
        self.m, self.R0, self.Rm, self.Rv, self.forces = m, peak, slide, viscous, forces
        self.n = len(m)
        self.way = "together"

    def solve(self, t, v, mode):
        """Relative accelerations and contact forces. mode: 0 sticks, 1 or -1 slides."""
        n = self.n
        force = [sum(a * math.sin(w * t + p) for a, w, p in terms) for terms in self.forces]
        f = [mode[i] * self.Rm[i] + self.Rv[i] * v[i] if mode[i] else None for i in range(n)] + [
            0.0
        ]
        acceleration, first = [0.0] * n, 0
        while first < n:
            last = first
            while last + 1 < n and not mode[last + 1]:
                last += 1
            held = first == 0 and not mode[0]
            if not held:
                mass = sum(self.m[first : last + 1])
                a = (sum(force[first : last + 1]) - f[first] + f[last + 1]) / mass
                for i in range(first, last + 1):
                    acceleration[i] = a
            for i in range(last, first if mode[first] else first - 1, -1):
                f[i] = force[i] + f[i + 1] - self.m[i] * acceleration[i]
            first = last + 1
        return [acceleration[i] - (acceleration[i - 1] if i else 0.0) for i in range(n)], f

    def step(self, t, v, mode, h):
        k1 = self.solve(t, v, mode)[0]
        k2 = self.solve(t + h / 2, [x + h / 2 * k for x, k in zip(v, k1)], mode)[0]
        k3 = self.solve(t + h / 2, [x + h / 2 * k for x, k in zip(v, k2)], mode)[0]
        k4 = self.solve(t + h, [x + h * k for x, k in zip(v, k3)], mode)[0]
        return [x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(v, k1, k2, k3, k4)]

    def beyond(self, t, v, mode):
        """By how much each contact has left its mode."""
        f = self.solve(t, v, mode)[1]
        return [-mode[i] * v[i] if mode[i] else abs(f[i]) - self.R0[i] for i in range(self.n)]

    def turns_back(self, t, v, mode, i):
        """A contact that has just begun to slide does not move in that direction."""
        a = self.solve(t, v, mode)[0][i]
        if abs(a) < 1e-8:
            a = self.solve(t + 1e-6, v, mode)[0][i] - self.solve(t - 1e-6, v, mode)[0][i]
        return mode[i] * a <= 0

    def next_modes(self, t, v, mode, starting, turned):
        """The values of the last iteration judge the contacts: all of them "together", as in the
        paper, or "one" by one, the most loaded first. With "flip" a contact that begins to slide
        the wrong way slides the other way, instead of sticking."""
        f = self.solve(t, v, mode)[1]
        new = list(mode)
        excess = [0.0 if mode[i] else abs(f[i]) / self.R0[i] - 1 for i in range(self.n)]
        for i in range(self.n):
            first = self.way != "one" or excess[i] == max(excess)
            if not mode[i] and excess[i] > 1e-9 and first:
                new[i] = 1 if f[i] > 0 else -1
            elif i in starting and self.turns_back(t, v, mode, i):
                new[i] = -mode[i] if self.way == "flip" and i not in turned else 0
                turned.add(i)
        return new

    def settle(self, t, v, mode, starting, changed):
        """The modes after an event that these contacts have changed."""
        turned = set()
        for i in changed:
            if mode[i]:
                v[i], mode[i] = 0.0, 0
            else:
                mode[i] = 1 if self.solve(t, v, mode)[1][i] > 0 else -1
                starting.add(i)
        for _ in range(50):
            new = self.next_modes(t, v, mode, starting, turned)
            if new == mode:
                return
            starting.update(i for i in range(self.n) if new[i] and not mode[i])
            starting.difference_update(i for i in range(self.n) if not new[i])
            mode[:] = new
        raise ArithmeticError("the iteration cycles at %g" % t)

    def run(self, times, h=4e-3):
        """Relative velocities at these times, and the number of changes of mode."""
        t, v, mode, starting, rows, events = 0.0, [0.0] * self.n, [0] * self.n, set(), [], 0
        self.settle(t, v, mode, starting, [])
        for end in times:
            while t < end - 1e-14:
                length = min(h, end - t)
                new = self.step(t, v, mode, length)
                out = self.beyond(t + length, new, mode)
                if max(out) <= 0:
                    t, v = t + length, new
                    starting.clear()
                    continue
                low, high = 0.0, length
                while high - low > 1e-15 * (1 + t) and low < (low + high) / 2 < high:
                    middle = (low + high) / 2
                    if max(self.beyond(t + middle, self.step(t, v, mode, middle), mode)) > 0:
                        high = middle
                    else:
                        low = middle
                v, t, events = self.step(t, v, mode, high), t + high, events + 1
                if events > 500:
                    raise ArithmeticError("events without end at %g" % t)
                out = self.beyond(t, v, mode)
                starting.clear()
                self.settle(t, v, mode, starting, [i for i in range(self.n) if out[i] > 0])
            rows.append(list(v))
        return rows, events


# ---- the same chain as a model ----


def text(chain):
    """In the notation of the paper. There all through variables of a cut sum to zero, so that
    forces count negative."""
    with open(os.path.join(TOP, "examples/dymola/TwoBlock.dym")) as f:
        classes = f.read().split("model class TwoBlocks")[0]
    n = chain.n
    lines = ["model Chain"]
    for i in range(n):
        lines += [
            "  submodel (TransBody) m%d (m = %r)" % (i + 1, chain.m[i]),
            "  submodel (Friction) f%d (R0 = %r, Rm = %r, Rv = %r)"
            % (i + 1, chain.R0[i], chain.Rm[i], chain.Rv[i]),
            "  submodel (ExtForce) e%d" % (i + 1),
        ]
    lines.append("  submodel (Inertial) i")
    for i in range(n):
        before, k = "m%d" % i if i else "i", i + 1
        force = " + ".join("(%r)*sin(%r*Time + %r)" % term for term in chain.forces[i])
        lines.append("  connect %s to f%d to m%d, e%d at m%d" % (before, k, k, k, k))
        lines.append("  e%d.f = -(%s)" % (k, force or "0"))
    return classes + "\n".join(lines) + "\nend\n"


def simulate(kairos, chain, stop, *options):
    """The relative velocities at the end, or the text of the failure; and the warnings."""
    with open("chain.dym", "w") as f:
        f.write(text(chain))
    try:
        p = subprocess.run(
            [
                kairos,
                "simulate",
                "chain.dym",
                "--stop-time",
                repr(stop),
                "--output",
                "chain.csv",
                "--quiet",
                *options,
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            timeout=60,
        )
    except subprocess.TimeoutExpired:
        return "no end in 60 s", ""
    if p.returncode:
        return p.stderr.strip() or "exit status %d" % p.returncode, p.stderr
    with open("chain.csv") as f:
        rows = list(csv.reader(f))
    last = {name: float(value) for name, value in zip(rows[0], rows[-1]) if value}
    return [last["f%d.v" % (i + 1)] for i in range(chain.n)], p.stderr


def mistake(kairos, chain, stop, right, tolerance, options):
    got, told = simulate(kairos, chain, stop, "--tolerance", repr(tolerance), *options)
    if isinstance(got, str):
        return got.splitlines()[0]
    if "warning" in told:
        return told.splitlines()[0]
    scale = 1 + max(abs(x) for x in right)
    error = max(abs(a - b) for a, b in zip(got, right))
    allowed = max(300 * tolerance, 1e-6) * scale
    return "error %.3g instead of %.3g" % (error, allowed) if error > allowed else None


def paper(u1, u2):
    """The two blocks of the paper, driven by forces a*sin(w*t + p) that have the opposite sign in
    its listing."""
    return Chain(
        [1, 2], [10, 5], [8, 4], [0, 0], [[(-u1[0], u1[1], u1[2])], [(-u2[0], u2[1], u2[2])]]
    )


def ten(frequency):
    """Ten blocks of the paper in a row, all of them driven."""
    forces = [[(-9.0 - i, frequency * (1 + 0.17 * i), 0.6 * i)] for i in range(10)]
    return Chain([1, 2] * 5, [10, 5] * 5, [8, 4] * 5, [0] * 10, forces)


SOLVERS = ["auto", "cvode", "ida", "esdirk", "radau", "dopri5", "rkf45", "inline-radau"]


def random_chain(r):
    n = r.choice([1, 2, 2, 2, 2, 3, 3, 4, 10])
    m = [10 ** r.uniform(-1.5, 1.5) if r.random() < 0.3 else r.uniform(0.5, 4) for _ in range(n)]
    slide = [r.uniform(1, 10) for _ in range(n)]
    peak = [x * r.choice([1.0, 1.25, r.uniform(1.05, 2)]) for x in slide]
    viscous = [r.choice([0, 0, r.uniform(0.1, 2)]) for _ in range(n)]
    forces = [
        [(r.uniform(1, 3) * max(slide), r.uniform(0.5, 4), r.uniform(0, 6))] for _ in range(n)
    ]
    return Chain(m, peak, slide, viscous, forces)


def settled(chain, stop):
    """The right values, or None if rounding decides: a slightly different chain ends
    differently."""
    try:
        right, events = chain.run([stop])
        for factor in (1 + 1e-7, 1 - 1e-7):
            other = Chain(
                chain.m,
                [x * factor for x in chain.R0],
                [x * factor for x in chain.Rm],
                chain.Rv,
                chain.forces,
            )
            near, _ = other.run([stop])
            if max(abs(a - b) for a, b in zip(near[0], right[0])) > 1e-4:
                return None, events
        return right[0], events
    except ArithmeticError:
        return None, 0


def orders(kairos):
    """Methods with a fixed step converge at their order."""
    chain, stop, failed = paper((12, 2, 0), (7, 3, 1)), 6.0, 0
    right = chain.run([stop])[0][0]
    for solver, steps, factor in (
        ("rk4", (0.04, 0.02, 0.01), 8),
        ("euler", (0.004, 0.002, 0.001), 1.6),
    ):
        errors = []
        for step in steps:
            got, _ = simulate(kairos, chain, stop, "--solver", solver, "--step", repr(step))
            errors.append(
                got.splitlines()[0]
                if isinstance(got, str)
                else max(abs(a - b) for a, b in zip(got, right))
            )
        if any(isinstance(e, str) for e in errors) or not errors[0] > factor**2 * errors[2]:
            failed += 1
            print("%s: errors of steps %s are %s" % (solver, steps, errors))
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kairos")
    parser.add_argument("--count", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    failed, runs = orders(args.kairos), 0
    cases = [(paper((12, 2, 0), (7, 3, 1)), 12.0), (paper((11, 2.1, 0.3), (8, 1.3, 0)), 12.0)]
    jobs = [
        (chain, stop, solver, tolerance)
        for chain, stop in cases
        for solver in SOLVERS
        for tolerance in (1e-4, 1e-6, 1e-8, 1e-10)
    ]
    for frequency, solver, tolerance in (
        (1.1, "auto", 1e-6),
        (1.7, "dopri5", 1e-9),
        (0.7, "radau", 1e-7),
    ):
        jobs.append((ten(frequency), 6.0, solver, tolerance))
    r = random.Random(args.seed)
    for _ in range(args.count):
        jobs.append(
            (random_chain(r), r.choice([3.0, 6.0, 9.0]), r.choice(SOLVERS), 10 ** -r.uniform(4, 10))
        )
    known = {}
    for number, (chain, stop, solver, tolerance) in enumerate(jobs):
        if id(chain) not in known:
            known[id(chain)] = settled(chain, stop)
        right, events = known[id(chain)]
        if right is None:
            continue
        runs += 1
        error = mistake(
            args.kairos,
            chain,
            stop,
            right,
            tolerance,
            ["--solver", solver, "--intervals", str(r.choice([7, 500, 1200])), *ROWS],
        )
        if error:
            failed += 1
            print(
                "%d: %d blocks, to %g, %s at %.2g, %d events: %s"
                % (number, chain.n, stop, solver, tolerance, events, error),
                flush=True,
            )
    print("%d of %d runs failed" % (failed, runs))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
