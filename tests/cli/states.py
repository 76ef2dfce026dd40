"""kairos simulate --save-state, --resume, --checkpoint: a run that is interrupted continues with
the same bytes."""
import glob, json, os, random, signal, subprocess, sys, time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import TOP, call, check, write

# Models with impacts, samples, changes of structure, state sets, delays and sliding, and times at
# which they are saved: between events, and at them.
MODELS = {
    "examples/BouncingBall.mo": [0.3, 1.0],
    "examples/SampledController.mo": [2.3, 2.5],
    "examples/DiodeInductor.mo": [0.013, 0.05],
    "examples/SixPulseRectifier.mo": [0.012],
    "examples/Pendulum.mo": [2.5],
    "examples/VanDerPol.mo": [900],
    "examples/TwoBlocks.mo": [3.7],
    "tests/models/modes/resumed_groups.mo": [0.045, 0.065, 0.085],
    "tests/models/delay/feedback.mo": [0.4],
    "tests/models/hold/slide.mo": [0.7],
    "tests/models/strings/run_time.mo": [0.5],
}

# Long enough to be killed on the way: x' = -x with a sample, 400,000 events.
LONG = """model Long
  Real x(start = 1, fixed = true);
  discrete Real n(start = 0, fixed = true);
equation
  der(x) = cos(time) - x;
  when sample(0, 1e-3) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 400));
end Long;
"""


def read(path):
    with open(path, "rb") as f:
        return f.read()


def lines(path):
    return read(path).splitlines(True)


def test_continues():
    for model, times in MODELS.items():
        path = os.path.join(TOP, model)
        saves = [x for t in times for x in ("--save-state", "s%g@%g" % (t, t))]
        rc, out, err = call("simulate", path, "-o", "all.csv", *saves)
        check("%s saves" % model, rc == 0, err)
        for t in times:
            rc, out, err = call("simulate", path, "-o", "rest.csv", "--resume", "s%g" % t, *saves)
            check("%s resumes at %g" % (model, t), rc == 0, err)
            whole, rest = lines("all.csv"), lines("rest.csv")
            check("%s has rows behind %g" % (model, t), len(rest) > 1)
            check(
                "%s continues from %g with the same bytes" % (model, t),
                whole[-(len(rest) - 1) :] == rest[1:] and whole[0] == rest[0],
                "".join(map(repr, rest[1:3])),
            )
            first = float(rest[1].split(b",")[0])
            check("the result begins at the state", first >= t, first)


def test_at_the_stop_time():
    """The run that saves has all rows, also those of an event at the stop time: none are left."""
    text = (
        "model M\n  Real x(start = 1, fixed = true);\n  discrete Real n(start = 0, fixed = true);\n"
        "equation\n  der(x) = -x;\n  when sample(0.5, 0.5) then\n    n = pre(n) + 1;\n"
        "  end when;\nend M;\n"
    )
    write("M.mo", text)
    rc, out, err = call("simulate", "M.mo", "-o", "plain.csv")
    check("a run", rc == 0 and "U022" not in err, err)
    rc, out, err = call("simulate", "M.mo", "-o", "all.csv", "--save-state", "s@1")
    check("saves at the stop time", rc == 0 and not err.count("warning"), err)
    ends = [float(line.split(b",")[0]) for line in lines("all.csv")[1:]]
    check("both rows of the last event", ends.count(1) == 2 and len(ends) == 501 + 2, ends[-3:])
    check("as without", len(lines("plain.csv")) == len(lines("all.csv")))
    rc, out, err = call("simulate", "M.mo", "-o", "rest.csv", "--resume", "s")
    check("says that nothing is left", rc == 0 and "nothing is left to simulate" in err, err)
    check("no row is there twice", lines("rest.csv") == lines("all.csv")[:1], lines("rest.csv"))
    rc, out, err = call("simulate", "M.mo", "-o", "all.csv", "--save-state", "s@0.9995")
    rc, out, err = call("simulate", "M.mo", "-o", "rest.csv", "--resume", "s")
    check("rows of the stop time are left", rc == 0 and "U022" not in err, err)
    check("these", lines("rest.csv")[1:] == lines("all.csv")[-2:], lines("rest.csv"))


def event_time(path):
    """The time of an event in the middle of the log; None: there are no events after the start."""
    times = [json.loads(line)["time"] for line in read(path).splitlines()]
    times = [t for t in times if t > 0]
    return times[len(times) // 2] if times else None


def test_examples():
    """Each example is saved at a random time and at an event, and continues with the same bytes."""
    random.seed(20)
    checked = 0
    every = 8 if program.SANITIZED else 1
    files = sorted(glob.glob(os.path.join(TOP, "examples", "**", "*.*"), recursive=True))
    for path in [f for f in files if f.endswith((".mo", ".dym", ".om"))][::every]:
        rc, out, err = call("simulate", path, "-o", "all.csv", "--events", "e.json")
        if rc:
            continue  # without a model, or it fails as it should
        start, stop = (float(lines("all.csv")[k].split(b",")[0]) for k in (1, -1))
        times = {start + (stop - start) * random.uniform(0.05, 0.95), event_time("e.json")}
        times = sorted(t for t in times if t is not None and start < t < stop)
        saves = [x for k, t in enumerate(times) for x in ("--save-state", "s%d@%r" % (k, t))]
        rc, out, err = call("simulate", path, "-o", "all.csv", *saves)
        check("%s saves at %s" % (path, times), rc == 0, err)
        for k, t in enumerate(times):
            options = ["--resume", "s%d" % k, *saves]
            rc, out, err = call("simulate", path, "-o", "rest.csv", *options)
            check("%s resumes at %r" % (path, t), rc == 0, err)
            whole, rest = lines("all.csv"), lines("rest.csv")
            same = len(rest) > 1 and whole[-(len(rest) - 1) :] == rest[1:]
            check("%s: the same bytes from %r" % (path, t), same, (len(whole), rest[1:3]))
            checked += 1
    check("examples are checked", checked > 50 / every, checked)


COUNTER_C = """
#include <stdlib.h>
#include <ModelicaUtilities.h>
typedef struct { double begin, slope; int ready; } Counter;
static void *makeCounter(void) { return calloc(1, sizeof(Counter)); }
static void freeCounter(void *c) { free(c); }
static double place(void *o, double t)
{
    Counter *c = o;
    c->begin = t;
    c->slope = 1 + t;
    c->ready = 1;
    return t + 0.3;
}
static double count(void *o, double t)
{
    Counter *c = o;
    if (!c->ready)
        ModelicaError("the counter was not placed");
    return c->slope * (t - c->begin);
}
"""
COUNTS = """
class Counter
  extends ExternalObject;
  function constructor
    output Counter c;
    external "C" c = makeCounter() annotation(Include = "#include \\"FILE\\"");
  end constructor;
  function destructor
    input Counter c;
    external "C" freeCounter(c) annotation(Include = "#include \\"FILE\\"");
  end destructor;
end Counter;
impure function place
  input Counter c;
  input Real t;
  output Real next;
  external "C" next = place(c, t) annotation(Include = "#include \\"FILE\\"");
end place;
impure function count
  input Counter c;
  input Real t;
  output Real y;
  external "C" y = count(c, t) annotation(Include = "#include \\"FILE\\"");
end count;
model Counts
  Counter c = Counter();
  discrete Real next(start = 0, fixed = true);
  Real y;
  Real x(start = 0, fixed = true);
equation
  when {initial(), time >= pre(next)} then
    next = place(c, time);
  end when;
  y = count(c, time + 0 * next);
  der(x) = y;
end Counts;
"""


def test_objects():
    """An object that depends on earlier calls continues: x' = (1 + T) (t - T), T the last event."""
    header = os.path.abspath(write("counter.h", COUNTER_C))
    write("m.mo", COUNTS.replace("FILE", header))
    exact = sum((1 + 0.3 * k) * min(0.3, 1 - 0.3 * k) ** 2 / 2 for k in range(4))
    for time in (0.1, 0.6, 0.75):
        at = "s.state@%g" % time
        rc, out, err = call("simulate", "m.mo", "-o", "whole.csv", "--save-state", at)
        check("saved at %g" % time, rc == 0, err)
        rc, out, err = call("simulate", "m.mo", "-o", "rest.csv", "--resume", "s.state")
        check("continued at %g" % time, rc == 0, err)
        with open("whole.csv") as whole, open("rest.csv") as rest:
            names, all_rows, rows = whole.readline(), whole.readlines(), rest.readlines()[1:]
        check("same rows", rows and all_rows[-len(rows) :] == rows)
        x = float(all_rows[-1].split(",")[names.strip().split(",").index("x")])
        check("x(1)", abs(x - exact) < 1e-5, (x, exact))


def test_refuses():
    write("A.mo", "model A Real x(start = 1, fixed = true); equation der(x) = -x; end A;")
    write("B.mo", "model B Real y(start = 1, fixed = true); equation der(y) = -y; end B;")
    rc, out, err = call("simulate", "A.mo", "--save-state", "a@0.5")
    check("saves", rc == 0, err)

    def refused(what, text, *args):
        rc, out, err = call("simulate", *args)
        check(what, rc == 2 and text in err, err)

    refused("another model", "of model A, not of B", "B.mo", "--resume", "a")
    refused("other options", "other options", "A.mo", "--resume", "a", "--tolerance", "1e-9")
    refused("another setting", "other settings", "A.mo", "--resume", "a", "--set", "x.start=2")
    refused("no file", "cannot read", "A.mo", "--resume", "nothing")
    refused("no time", "--save-state", "A.mo", "--save-state", "a")
    refused("a time outside", "after the start time", "A.mo", "--save-state", "b@7")
    state = bytearray(read("a"))
    state[len(state) // 2] ^= 1
    with open("a", "wb") as f:
        f.write(state)
    refused("a damaged state", "damaged", "A.mo", "--resume", "a")
    for size in (0, 8, 40, 100):
        with open("short", "wb") as f:
            f.write(state[:size])
        refused("a state of %d bytes" % size, "ends too early", "A.mo", "--resume", "short")
    write("text", "time,x\n0,1\n")
    refused("another file", "ends too early", "A.mo", "--resume", "text")


def test_checkpoint_after_kill():
    write("Long.mo", LONG)
    options = ["Long.mo", "--intervals", "2000", "--checkpoint", "0.05"]
    rc, out, err = call("simulate", *options, "-o", "whole.csv")
    check("a run with checkpoints", rc == 0, err)
    check("removes its files", not os.path.exists("whole.csv.checkpoint"), os.listdir("."))
    options += ["-o", "r.csv"]
    run = subprocess.Popen([program.KAIROS, "simulate", *options], stderr=subprocess.DEVNULL)
    while run.poll() is None and not os.path.exists("r.csv.checkpoint"):
        time.sleep(0.005)
    killed = run.poll() is None
    run.send_signal(signal.SIGKILL)
    run.wait()
    check("was killed on its way", killed and not os.path.exists("r.csv"))
    rc, out, err = call("simulate", *options, "--resume", "r.csv.checkpoint")
    check("continues", rc == 0, err)
    check("without loss, with the same bytes", read("r.csv") == read("whole.csv"))
    check("removes its files then", not os.path.exists("r.csv.checkpoint.rows"), os.listdir("."))


program.run_tests()
