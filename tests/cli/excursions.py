"""No event is missed if its excursion exceeds the tolerance. Random relations change and change
back, some of them within a small part of a step. They depend on time, states and computed
variables; the instants are known."""
import json, math, os, random, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import call, write

SOLVERS = program.solvers()
LOW_ORDER = ("euler", "inline-euler", "inline-bdf2")
STOP = 10


def bump(rng):
    """A bell of width w around c, above h: narrow beside any step."""
    w, c, h = 10 ** rng.uniform(-4, -0.3), rng.uniform(1, 9), rng.uniform(0.05, 0.95)
    half = w * math.sqrt(-math.log(h))
    return "exp(-((%s - {c!r})/{w!r})^2) > {h!r}".format(c=c, w=w, h=h), [c - half, c + half]


def wave(rng):
    """The tops of a fast wave, except the last one."""
    f, h = rng.uniform(3, 30), rng.choice((0.9, 0.99, 0.9999))
    times = []
    for k in range(int(STOP * f) + 2):
        times += [
            (k + 0.25 - math.acos(h) / (2 * math.pi)) / f,
            (k + 0.25 + math.acos(h) / (2 * math.pi)) / f,
        ]
    return "sin({w!r}*%s) > {h!r}".format(w=2 * math.pi * f, h=h), times


def notch(rng):
    """The absolute value, under noEvent: a kink."""
    w, c = 10 ** rng.uniform(-4, -1), rng.uniform(1, 9)
    return "noEvent(abs(%s - {c!r})) < {w!r}".format(c=c, w=w), [c - w, c + w]


def dip(rng):
    """A parabola of a second state that dips below zero for a moment: it needs methods of second
    order."""
    d, c = 10 ** rng.uniform(-2.5, 0), rng.uniform(2, 8)
    return "fall(%r, %r)" % (c, d), [c - d, c + d]


def model(parts):
    """Each relation over time, over a state, over a variable computed from it, or in a
    component."""
    text = [
        "model M",
        "  block Part",
        "    input Real u;",
        "    output Real y = 2*u;",
        "  end Part;",
        "  Real x(start = 0, fixed = true), y = 2*x, z = y/2;",
        "  Part part[2](each u = x/2);",
        "  Boolean b[%d];" % len(parts),
    ]
    equations = ["  der(x) = 1;"]
    for i, (relation, where) in enumerate(parts, 1):
        if relation.startswith("fall"):
            c, d = json.loads("[%s]" % relation[5:-1])
            text.append(
                "  Real h%d(start = %r, fixed = true), v%d(start = %r, fixed = true);"
                % (i, c * c - d * d, i, -2 * c)
            )
            equations += ["  der(h%d) = v%d;" % (i, i), "  der(v%d) = 2;" % i]
            relation = "h%d < 0" % i
        else:
            relation = relation % where
        equations.append("  b[%d] = %s;" % (i, relation))
    return "\n".join(text + ["equation"] + equations + ["end M;\n"])


def found(solver):
    options = [
        "--solver",
        solver,
        "--stop-time",
        str(STOP),
        "--tolerance",
        "1e-8",
        "--quiet",
        "--output",
        "r.csv",
        "--variables",
        "^x$",
        "--events",
        "e.jsonl",
    ]
    rc, _, err = call("simulate", "m.mo", *options)
    assert rc == 0, "%s: exit %d\n%s" % (solver, rc, err)
    times = {}
    with open("e.jsonl") as f:
        for line in f:
            event = json.loads(line)
            for change in event["changes"]:
                times.setdefault(change["name"], []).append(event["time"])
    return times


def compare(rng, kinds, solvers, where):
    chosen = [kind(rng) for kind in kinds]
    text = model([(relation, rng.choice(where)) for relation, _ in chosen])
    write("m.mo", text)
    for solver in solvers:
        times = found(solver)
        for i, (relation, expected) in enumerate(chosen, 1):
            here = times.get("b[%d]" % i, [])
            expected = [t for t in expected if t <= STOP]
            near = len(here) == len(expected) and all(
                abs(a - b) <= 1e-5 for a, b in zip(here, expected)
            )
            program.check(
                "%s, b[%d]: %s" % (solver, i, relation),
                near,
                "found %s, expected %s in\n%s" % (here[:8], expected[:8], text),
            )


def test_narrow_excursions():
    rng = random.Random(7)
    for _ in range(8):
        compare(rng, [bump, bump, notch], SOLVERS, ("time", "x", "y/2", "z", "part[2].y"))
        compare(rng, [bump, notch], SOLVERS, ("time",))
        compare(rng, [dip, bump], [s for s in SOLVERS if s not in LOW_ORDER], ("time", "x"))


def test_fast_waves():
    rng = random.Random(8)
    for _ in range(3):
        compare(rng, [wave], SOLVERS, ("time", "x", "z"))


program.run_tests()
