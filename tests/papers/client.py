"""Shared by the pages of tests/papers: runs of a model text, values of results, comparisons.

A page is a script PAGE.py KAIROS [--seed N] [test_NAME]... with a function test_NAME(kairos, r) for
each section of its paper; r is a random generator. Right values are closed forms or come from
`solve`. Other seeds give other numbers.
"""
import csv, random, subprocess, sys, traceback


class Result:
    def __init__(self, path):
        with open(path) as f:
            rows = list(csv.reader(f))
        self.names = rows[0]
        self.rows = [[float(x) if x else float("nan") for x in row] for row in rows[1:]]
        self.times = [row[0] for row in self.rows]

    def at(self, name, time):
        """The last value at a time of the output grid."""
        k = self.names.index(name)
        found = [row[k] for row in self.rows if abs(row[0] - time) <= 1e-9 * (1 + abs(time))]
        assert found, "no row at %r" % time
        return found[-1]

    def end(self, name):
        return self.rows[-1][self.names.index(name)]

    def changes(self, name):
        """The times at which a discrete variable changes."""
        k = self.names.index(name)
        return [
            b[0] for a, b in zip(self.rows, self.rows[1:]) if a[k] != b[k] and abs(a[0] - b[0]) == 0
        ]


def simulate(kairos, text, *options, kind="mo"):
    """The result of a model text. A failure or a warning is an AssertionError."""
    with open("page." + kind, "w") as f:
        f.write(text)
    words = [kairos, "simulate", "page." + kind, "--output", "page.csv", "--quiet", *options]
    words += ["--output-points", "grid"]  # rows may be few
    p = subprocess.run(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, timeout=120
    )
    assert p.returncode == 0 and "warning" not in p.stderr, "%s\n%s\n%s" % (
        " ".join(options),
        p.stderr[:1500],
        text,
    )
    return Result("page.csv")


def near(got, right, tolerance, what=""):
    assert abs(got - right) <= tolerance, "%s: %.10g, right is %.10g" % (what, got, right)


def all_near(got, right, tolerance, what=""):
    assert len(got) == len(right), "%s: %r, right is %r" % (what, got, right)
    for a, b in zip(got, right):
        near(a, b, tolerance, what)


def rk4(f, t, x, h):
    k1 = f(t, x)
    k2 = f(t + h / 2, [a + h / 2 * k for a, k in zip(x, k1)])
    k3 = f(t + h / 2, [a + h / 2 * k for a, k in zip(x, k2)])
    k4 = f(t + h, [a + h * k for a, k in zip(x, k3)])
    return [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(x, k1, k2, k3, k4)]


def solve(modes, mode, x, stop, h):
    """States and mode at the end, and the times of changes. modes[name] is (derivatives(t, x),
    exits): a list of (function(t, x) that becomes positive, next mode, jump(t, x) or None)."""
    t, events = 0.0, []
    while t < stop - 1e-13:
        f, exits = modes[mode]
        step = min(h, stop - t)
        new = rk4(f, t, x, step)
        crossed = [e for e in exits if e[0](t + step, new) > 0]
        if not crossed:
            t, x = t + step, new
            continue
        low, high = 0.0, step
        while high - low > 1e-14 * (1 + t) and low < (low + high) / 2 < high:
            middle = (low + high) / 2
            y = rk4(f, t, x, middle)
            if any(e[0](t + middle, y) > 0 for e in exits):
                high = middle
            else:
                low = middle
        t, x = t + high, rk4(f, t, x, high)
        taken = next(e for e in exits if e[0](t, x) > 0)
        mode, x = taken[1], taken[2](t, x) if taken[2] else x
        events.append(t)
    return x, mode, events


def page(tests):
    """Runs the functions test_NAME of a page, or those named on the command line."""
    kairos, names, seed, failed = sys.argv[1], sys.argv[2:], 1, 0
    if names and names[0] == "--seed":
        seed, names = int(names[1]), names[2:]
    for name, test in tests.items():
        if not name.startswith("test_") or (names and name not in names):
            continue
        try:
            test(kairos, random.Random("%d %s" % (seed, name)))
        except (AssertionError, subprocess.TimeoutExpired):
            failed += 1
            print("%s: %s" % (name, traceback.format_exc()), flush=True)
    return 1 if failed else 0
