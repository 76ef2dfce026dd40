#!/usr/bin/env python3
"""sliding.py KAIROS [--count N] [--seed S]

Relays on all states: x' = A*u, u[i] = 1 or -1 by x[i] > 0. A is the sum of a negative diagonal and
an antisymmetric matrix, so that the states come to rest at the origin in finite time, on the way
sliding along surfaces and leaving them again. The integrator of our own knows the motion exactly:
the speeds are constant between changes, and on surfaces they solve a complementarity problem, which
has one solution. It is found by trying all combinations.
"""
import argparse, csv, itertools, os, random, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from elimination import solve_linear

SOLVERS = ["auto", "cvode", "ida", "esdirk", "radau", "dopri5", "rkf45"]
TINY = 1e-10


def controls(a, x):
    """u at the state x: in [-1, 1] on surfaces that are held, and 1 or -1 if z then leads away."""
    n = len(x)
    zero = [i for i in range(n) if abs(x[i]) < TINY]
    for sides in itertools.product((0, 1, -1), repeat=len(zero)):
        u = [1.0 if v > 0 else -1.0 for v in x]
        for i, side in zip(zero, sides):
            u[i] = float(side)
        held = [i for i, side in zip(zero, sides) if not side]
        right = [-sum(a[i][j] * u[j] for j in range(n) if j not in held) for i in held]
        for i, v in zip(held, solve_linear([[a[i][j] for j in held] for i in held], right)):
            u[i] = v
        speed = [sum(p * q for p, q in zip(row, u)) for row in a]
        inside = all(abs(u[i]) <= 1 + 1e-12 for i in held)
        if inside and all(not s or s * speed[i] >= -1e-12 for i, s in zip(zero, sides)):
            return u, speed
    raise ArithmeticError("no motion")


def exact(a, x, stop):
    t = 0.0
    for _ in range(3000):
        _, speed = controls(a, x)
        gaps = [-v / s for v, s in zip(x, speed) if abs(v) >= TINY and v * s < 0]
        step = min(gaps + [stop - t])
        x = [v + step * s for v, s in zip(x, speed)]
        x = [0.0 if abs(v) < TINY else v for v in x]
        t += step
        if t >= stop - 1e-14:
            return x
    raise ArithmeticError("no end")


def model(a, x):
    def row(values):
        return "{%s}" % ", ".join(map(repr, values))

    return """model Relays
  Real x[%d](start = %s, each fixed = true), u[%d];
  parameter Real A[:, :] = {%s};
equation
  for i in 1:size(A, 1) loop
    u[i] = if x[i] > 0 then 1 else -1;
  end for;
  der(x) = A*u;
end Relays;
""" % (
        len(x),
        row(x),
        len(x),
        ", ".join(row(r) for r in a),
    )


def random_case(r):
    n, size = r.choice([2, 3, 3, 4, 4, 5, 6]), r.choice([0.5, 1, 2])
    a = [[0.0] * n for _ in range(n)]
    for i in range(n):
        a[i][i] = -round(r.uniform(0.5, 2), 2)
        for j in range(i):
            a[i][j] = round(r.uniform(-size, size), 2)
            a[j][i] = -a[i][j]
    x = [round(r.uniform(-3, 3), 2) for _ in range(n)]
    # sum(abs(x)) falls by the sum of -A[i,i]*u[i]^2 per second
    return a, x, round(r.uniform(0.5, 1.5) * sum(map(abs, x)) / -sum(a[i][i] for i in range(n)), 3)


def mistake(kairos, a, x, stop, solver, tolerance):
    with open("relays.mo", "w") as f:
        f.write(model(a, x))
    words = [kairos, "simulate", "relays.mo", "--stop-time", repr(stop), "--output", "relays.csv"]
    words += ["--quiet", "--solver", solver, "--tolerance", "%.3g" % tolerance]
    p = subprocess.run(words, stderr=subprocess.PIPE, universal_newlines=True, timeout=60)
    told = [line for line in p.stderr.splitlines() if "warning" in line and "R019" not in line]
    if p.returncode or told:
        return (told or p.stderr.splitlines() or ["exit %d" % p.returncode])[0]
    with open("relays.csv") as f:
        rows = list(csv.reader(f))
    last = dict(zip(rows[0], map(float, rows[-1])))
    right = exact(a, x, stop)
    error = max(abs(last["x[%d]" % (i + 1)] - v) for i, v in enumerate(right))
    return "error %.3g" % error if not error <= max(30 * tolerance, 1e-6) else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kairos")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    r, failed, runs = random.Random(args.seed), 0, 0
    for number in range(args.count):
        a, x, stop = random_case(r)
        for solver in r.sample(SOLVERS, 2):
            tolerance = 10 ** -r.uniform(4, 8)
            runs += 1
            error = mistake(os.path.abspath(args.kairos), a, x, stop, solver, tolerance)
            if error:
                failed += 1
                what = (number, len(x), stop, solver, tolerance, error)
                print("%d: %d relays, to %g, %s at %.2g: %s" % what, flush=True)
    print("%d of %d runs failed" % (failed, runs))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
