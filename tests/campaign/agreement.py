"""Random models, simulated in every way that must give the same trajectory: all solvers, both
compilers, all structures, as FMUs, interrupted and continued, and rewritten without changing their
meaning (other names, another order, other units, another scale of time, as a component).

A difference counts if the reference itself is certain: two tighter runs by different methods agree.
If a tiny change of the model changes the trajectory as much, nothing can be said.

usage: agreement.py KAIROS [--count N] [--seconds S] [--seed N] [--keep FOLDER] [--only WAY]"""
import argparse, collections, csv, math, os, subprocess, sys, tempfile, time

import random_models

LIMIT = 1e-4  # of the range of a variable, at tolerance 1e-8
NEAR = 2e-4  # rows so close to an event are not compared (as a part of the span)


class Run:
    def __init__(self, table, events):
        self.names, self.rows, self.events = table[0], table[1:], events


class Trial:
    def __init__(self, kairos, folder, model):
        self.kairos, self.folder, self.model = kairos, folder, model
        self.n = 0

    def call(self, words, limit=60):
        try:
            p = subprocess.run(
                [self.kairos, *words],
                cwd=self.folder,
                capture_output=True,
                text=True,
                timeout=limit,
                stdin=subprocess.DEVNULL,
            )
            return p.returncode, p.stderr
        except subprocess.TimeoutExpired:
            return "no answer in %d s" % limit, ""

    def file(self, text):
        self.n += 1
        name = "m%d.mo" % self.n
        with open(os.path.join(self.folder, name), "w") as f:
            f.write(text)
        return name

    def simulate(self, file, stop, *options, tolerance="1e-8"):
        """Returns a Run, or a text that says why there is none."""
        out, log = os.path.join(self.folder, "r.csv"), os.path.join(self.folder, "events")
        for old in (out, log):
            if os.path.exists(old):
                os.remove(old)
        rc, err = self.call(
            [
                "simulate",
                file,
                "--stop-time",
                repr(stop),
                "--intervals",
                "200",
                "--tolerance",
                tolerance,
                "--output",
                out,
                *options,
            ]
        )
        if rc != 0:
            return "status %s: %s" % (rc, err.strip()[:300])
        with open(out, newline="") as f:
            table = list(csv.reader(f))
        return Run(table, event_times(table))


def event_times(table):
    """Instants with two rows."""
    times = [float(r[0]) for r in table[1:]]
    return sorted({a for a, b in zip(times, times[1:]) if a == b})


def near(events, t, width):
    return any(abs(t - e) <= width for e in events)


def difference(model, a, how_a, b, how_b):
    """The largest difference relative to the range, at common instants away from events; with the
    variable and the time."""
    stop = model.stop_time(how_a)
    rows_b = {round(float(r[0]) / how_b.time, 9): r for r in b.rows}
    worst = (0.0, None, None)
    events = [t / how_a.time for t in a.events] + [t / how_b.time for t in b.events]
    read_a, read_b = model.reader(how_a), model.reader(how_b)
    columns = []
    for x in model.signals:
        (na, sa), (nb, sb) = read_a(x), read_b(x)
        if na not in a.names or nb not in b.names:
            return (math.inf, "no column " + x, 0)
        ka, kb = a.names.index(na), b.names.index(nb)
        values = [float(r[ka]) * sa for r in a.rows]
        columns.append((x, ka, sa, kb, sb, max(max(values) - min(values), 0.01)))
    for row in a.rows:
        t = float(row[0]) / how_a.time
        other = rows_b.get(round(t, 9))
        if other is None or near(events, t, NEAR * model.stop):
            continue
        for x, ka, sa, kb, sb, size in columns:
            d = abs(float(row[ka]) * sa - float(other[kb]) * sb) / size
            if not d <= worst[0]:
                worst = (d if d == d else math.inf, x, t)
    return worst


SOLVERS = ["auto", "cvode", "ida", "esdirk", "radau", "rkf45"]


def ways(trial, model, seed):
    """Yields (name, writing, function that returns a Run or a reason)."""
    plain = random_models.Writing()
    file = trial.file(model.text())
    stop = model.stop_time()

    def run(*options):
        return lambda: trial.simulate(file, stop, *options)

    for solver in SOLVERS:
        yield solver, plain, run("--solver", solver)
    yield "cc", plain, run("--solver", "dopri5", "--compiler", "cc")
    yield "tcc", plain, run("--solver", "dopri5", "--compiler", "tcc")
    for structure in ("single", "modes", "inline") if model.structural else ("modes", "inline"):
        yield structure, plain, run("--structure", structure)
    for name, how in random_models.writings(model, seed).items():
        text = model.text(how)
        yield name, how, lambda how=how, text=text: trial.simulate(
            trial.file(text), model.stop_time(how), "--solver", "dopri5"
        )
    for fmi, kind in (("2", "cs"), ("3", "me")):
        yield "fmu %s %s" % (fmi, kind), plain, lambda fmi=fmi, kind=kind: as_fmu(
            trial, file, stop, fmi, kind
        )
    yield "continued", plain, lambda: continued(trial, file, stop)


def as_fmu(trial, file, stop, fmi, kind):
    rc, err = trial.call(["fmu", file, "--fmi", fmi, "--kind", kind, "-o", "m.fmu"])
    if rc != 0:
        return "status %s: %s" % (rc, err.strip()[:300])
    return trial.simulate("m.fmu", stop, "--kind", kind)


def continued(trial, file, stop):
    half = trial.simulate(file, stop, "--save-state", "s@%r" % (0.37 * stop))
    if isinstance(half, str):
        return half
    return trial.simulate(file, stop, "--resume", "s")


def refused(why):
    """A clear message that this way does not serve the model is an answer."""
    return why.startswith("status 1:") or why.startswith("status 2:")


def judge(trial, model, seed, only, counts):
    """Returns a list of (way, text)."""
    plain = random_models.Writing()
    file = trial.file(model.text())
    reference = trial.simulate(file, model.stop, "--solver", "dopri5", tolerance="1e-9")
    if isinstance(reference, str):
        return [("dopri5", reference)]
    second = trial.simulate(file, model.stop, "--solver", "radau", tolerance="1e-9")
    if isinstance(second, str):
        return [("radau", second)]
    d = difference(model, reference, plain, second, plain)
    moved = trial.simulate(file, model.stop, "--solver", "dopri5", tolerance="1e-7")
    shift = difference(model, reference, plain, moved, plain) if isinstance(moved, Run) else d
    if shift[0] > LIMIT:
        counts["uncertain"] += 1
        return []
    found = []
    if d[0] > LIMIT:
        found.append(
            ("radau at 1e-9", "%s differs by %.2g of its range at t = %g" % (d[1], d[0], d[2]))
        )
    for name, how, run in ways(trial, model, seed):
        if only and name not in only:
            continue
        counts["runs"] += 1
        result = run()
        if isinstance(result, str):
            if ("fmu" in name or name in ("inline", "modes", "single")) and refused(result):
                counts["refused"] += 1
            else:
                found.append((name, result))
            continue
        d = difference(model, reference, plain, result, how)
        if d[0] > LIMIT:
            found.append((name, "%s differs by %.2g of its range at t = %g" % (d[1], d[0], d[2])))
    if found and is_undecided(trial, model, reference):
        counts["uncertain"] += 1
        return []
    return found


def is_undecided(trial, model, reference):
    """True if start values beside zero, by no more than the tolerance, lead to another trajectory.
    A value that leaves zero very slowly is such a case: no method knows when a relation of it
    changes."""
    plain = random_models.Writing()
    for start in ("1e-9", "-1e-9"):
        file = trial.file(model.text().replace("start = 0,", "start = %s," % start))
        moved = trial.simulate(file, model.stop, "--solver", "dopri5", tolerance="1e-9")
        if isinstance(moved, Run) and difference(model, reference, plain, moved, plain)[0] > LIMIT:
            return True
    return False


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("kairos")
    ap.add_argument("--count", type=int, default=10)
    ap.add_argument("--seconds", type=float, default=math.inf)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--keep", help="folder for the texts of models that disagree")
    ap.add_argument("--only", action="append", default=[])
    args = ap.parse_args()
    kairos, begin = os.path.abspath(args.kairos), time.monotonic()
    counts = collections.Counter()
    for seed in range(args.seed, args.seed + args.count):
        if time.monotonic() - begin > args.seconds:
            break
        model = random_models.random_model(seed)
        counts["models"] += 1
        with tempfile.TemporaryDirectory(prefix="kairos-agreement-") as folder:
            for way, text in judge(Trial(kairos, folder, model), model, seed, args.only, counts):
                counts["disagreements"] += 1
                print("seed %d (%s), %s: %s" % (seed, " ".join(model.parts), way, text), flush=True)
                if args.keep:
                    os.makedirs(args.keep, exist_ok=True)
                    with open(os.path.join(args.keep, "m%d.mo" % seed), "w") as f:
                        f.write(model.text())
    order = ("models", "runs", "uncertain", "refused", "disagreements")
    print(", ".join("%d %s" % (counts[k], k) for k in order))
    return 1 if counts["disagreements"] else 0


if __name__ == "__main__":
    sys.exit(main())
