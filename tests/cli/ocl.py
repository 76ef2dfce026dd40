"""kairos run: the script of the HDS paper, loops, values, stops at events, and mistakes in a
script."""
import os, re, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import call, check, example, write

OMOLA = example("omola")


def run(text, name="s.ocl", library=OMOLA):
    if text is not None:
        write(name, text)
    return call("run", name, "--library", library)


def test_script_of_the_paper():
    rc, out, err = run(None, os.path.join(OMOLA, "SwitchStretch.ocl"))
    check(
        "the paper's script",
        rc == 0
        and os.path.exists("SwitchStretch-Response.svg")
        and os.path.exists("SwitchStretch-R.svg"),
        err,
    )
    colours = set(
        re.findall(r'stroke(?:=|:)"?rgb\(([^)]*)\)', open("SwitchStretch-Response.svg").read())
    )
    check(
        "its curve changes colour at every event",
        len([c for c in colours if len(set(c.split(","))) > 1]) >= 2,
        colours,
    )


def test_stops_and_ranges():
    """The ten switches of the run, one stop after the other."""
    rc, out, err = run(
        """
BEGIN
  Hybrid::SwitchStretchPlus m;
  Simulator sim(m);
  sim.stoptime := 1;
  m.q := 1;
  m.x := [0.3; 0.826];
  sim.start;
  print("first ", m.ModeChange, " ", m.time);
  n := 1;
  for k := [1:20] BEGIN
    sim.continue;
    IF m.ModeChange > n THEN BEGIN n := m.ModeChange; END;
  END;
  print("all ", n, " ", m.time);
  for k := [0:0.5:1] BEGIN print(2*k + 1); END;
END;
"""
    )
    lines = out.splitlines()
    check(
        "stops",
        rc == 0
        and len(lines) == 5
        and lines[0].startswith("first 1 0.11032")
        and lines[1] == "all 10 1",
        out + err,
    )
    check("ranges", lines[2:] == ["1", "2", "3"], out)


def test_values_set_during_a_run():
    """The state falls at the rate r and stops at every whole second; earlier rows stay."""
    write(
        "Fall.om",
        """Fall ISA Model WITH
  x TYPE Real := 10;
  n TYPE DISCRETE Integer := 0;
  next TYPE DISCRETE Real := 1;
  r ISA Parameter WITH default := 1; END;
  Stop ISAN Event WITH
    CONDITION := Base::Time >= next;
    NEW(next) := next + 1;
    NEW(n) := n + 1;
  END;
  x' = -r;
END;
""".replace(
            "Base::Time", "time"
        ),
    )
    script = """
BEGIN
  Fall::Fall m;
  Simulator sim(m);
  sim.stoptime := 5;
  sim.start;
  print(m.time, " ", m.x, " ", m.n);
  m.x := 100;
  sim.continue;
  print(m.time, " ", m.x, " ", m.n);
  m.r := 3;
  m.n := 7;
  sim.continue;
  print(m.time, " ", m.x, " ", m.n);
  sim.continue;
  print(m.time, " ", m.x, " ", m.n);
  sim.start;
  print(m.time, " ", m.x, " ", m.n);
END;
"""
    rc, out, err = run(script, "v.ocl", ".")
    got = [[float(x) for x in line.split()] for line in out.splitlines()]
    want = [[1, 9, 1], [2, 99, 2], [3, 96, 8], [4, 93, 9], [1, 97, 8]]
    same = len(got) == len(want) and all(
        abs(a - b) < 1e-6 for g, w in zip(got, want) for a, b in zip(g, w)
    )
    check(
        "values set during a run take effect when it goes on; before it, at the start",
        rc == 0 and same,
        (got, err),
    )


HYSTERESIS = """Hysteresis ISA Model WITH
  Delta ISA Parameter WITH default := 0.1; END;
  q TYPE DISCRETE Integer := 1;
  x TYPE Real := 0;
  x' = IF q == 1 THEN 1 ELSE -1;
  WHEN (IF q == 1 THEN x ELSE -x) >= Delta DO
    NEW(q) := 3 - q;
  END;
END;
"""


def zigzag(t, pieces):
    """x(t) of the hysteresis; pieces: (start time, Delta)."""
    x, way, now = 0.0, 1, 0.0
    while now < t - 1e-12:
        delta = [d for start, d in pieces if start <= now + 1e-12][-1]
        limits = [start for start, d in pieces if start > now + 1e-12] + [t]
        gap = max(0.0, delta - way * x)
        step = min(gap, min(limits + [t]) - now)
        x, now = x + way * step, now + step
        if step == gap:
            way = -way
    return x


def test_stop_times():
    write("Hyst.om", HYSTERESIS)
    rc, out, err = call(
        "run",
        write(
            "c.ocl",
            """
BEGIN
  Hyst::Hysteresis m;
  Simulator sim(m);
  Plotter p(m);
  p.y(x);
  sim.stoptime := 0.55;
  sim.start;
  print(m.time, m.x);
  sim.stoptime := 0.8;
  sim.continue;
  print(m.time, m.x);
  sim.continue;
  print(m.time, m.x);
  m.Delta := 0.3;
  sim.stoptime := 1.37;
  sim.continue;
  print(m.time, m.x);
  m.x := -0.2;
  sim.stoptime := 1.4;
  sim.continue;
  print(m.time, m.x);
  sim.save("run.csv");
  sim.save("run.mat");
  sim.stoptime := 0.3;
  sim.start;
  print("again", m.time, "x=", m.x);
END;
""",
        ),
        "--library",
        ".",
    )
    lines = out.splitlines()
    got = [[float(v) for v in line.split()] for line in lines[:5]]
    want = [[t, zigzag(t, [(0, 0.1), (0.8, 0.3)])] for t in (0.55, 0.8, 0.8, 1.37)]
    way = 1 if zigzag(1.37, [(0, 0.1), (0.8, 0.3)]) > zigzag(1.369, [(0, 0.1), (0.8, 0.3)]) else -1
    want.append([1.4, -0.2 + 0.03 * way])
    same = len(got) == 5 and all(abs(a - b) < 1e-6 for g, w in zip(got, want) for a, b in zip(g, w))
    check("stop times and values that change on the way", rc == 0 and same, (got, want, err))
    # Delta and x were set before: the new run starts with them
    check("a text and a number are set apart", lines[5].startswith("again 0.3 x= 0.1"), out)
    check(
        "nothing is said of temporary files",
        "kairos-ocl" not in err and "goes back" not in err,
        err,
    )
    check("both runs are drawn", os.path.exists("c-p.svg"), err)
    rows = [line.split(",") for line in open("run.csv").read().splitlines()]
    time, x = rows[0].index("time"), rows[0].index("x")
    check(
        "the run is saved up to where it stands",
        abs(float(rows[-1][time]) - 1.4) < 1e-9
        and abs(float(rows[-1][x]) - want[4][1]) < 1e-6
        and os.path.getsize("run.mat") > 0,
        rows[-1],
    )


def test_values_and_conditions():
    """A vector of one element is a scalar; = compares, also in brackets."""
    write("Drift.om", "Drift ISA Model WITH\n  x TYPE Column [1] := [2];\n  x' = 3;\nEND;\n")
    script = """
BEGIN
  Drift::Drift m;
  Simulator sim(m);
  sim.stoptime := 0.5;
  sim.start;
  print(m.x, m.x[1], sim.time);
  IF m.x = 3.5 THEN BEGIN print("same"); END;
  IF (m.x <> 3.5) THEN BEGIN print("other"); END ELSE BEGIN print("no"); END;
  IF (m.time == 0.5) * (m.x > 1) THEN BEGIN print("both"); END;
END;
"""
    rc, out, err = run(script, "c.ocl", ".")
    lines = out.splitlines()
    check("values", rc == 0 and lines == ["3.5 3.5 0.5", "same", "no", "both"], out + err)
    script = """
BEGIN
  Drift::Drift m;
  Simulator sim(m);
  m.x := 4;
  sim.stoptime := 0.5;
  sim.start;
  print(m.x);
  m.x := 7;
  sim.stoptime := 1;
  sim.continue;
  print(m.x);
END;
"""
    rc, out, err = run(script, "c.ocl", ".")
    check("such a vector takes a number", rc == 0 and out.split() == ["5.5", "8.5"], out + err)


def test_settings_are_values():
    write("Drift.om", "Drift ISA Model WITH\n  x TYPE Real := 1;\n  x' = 3;\nEND;\n")
    script = """
BEGIN
  Drift::Drift m;
  Simulator sim(m);
  print(sim.starttime, sim.stoptime);
  sim.stoptime := 0.5;
  sim.start;
  for k := [1:3] BEGIN
    sim.stoptime := sim.stoptime + 0.25*k;
    sim.continue;
    print(sim.stoptime, m.x);
  END;
END;
"""
    rc, out, err = run(script, "c.ocl", ".")
    lines = ["0 1", "0.75 3.25", "1.25 4.75", "2 7"]
    check("settings of simulators are values", rc == 0 and out.splitlines() == lines, out + err)


def test_subscripts_and_powers():
    """Subscripts are values of the script; ^ binds tighter than signs and products."""
    write(
        "Pair.om",
        "Pair ISA Model WITH\n  x TYPE Column [3] := [1; 2; 3];\n  x' = [1; 2; 4];\nEND;\n",
    )
    script = """
BEGIN
  Pair::Pair m;
  Simulator sim(m);
  for k := [1:2] BEGIN m.x[k] := 10*k; END;
  sim.stoptime := 0.5;
  sim.start;
  for k := [1:3] BEGIN print(m.x[k], m.x[4 - k]); END;
  for k := [2:3] BEGIN m.x[k] := 0; END;
  sim.stoptime := 1;
  sim.continue;
  print(m.x[1], m.x[2], m.x[ 3 ]);
  print(-2^2, 2^-1, 3*2^3, (1 + 1)^0.5*2^0.5);
END;
"""
    rc, out, err = run(script, "c.ocl", ".")
    lines = out.splitlines()
    want = ["10.5 5", "21 21", "5 10.5", "11 1 2", "-4 0.5 24 2"]
    check("subscripts and powers", rc == 0 and lines == want, out + err)
    rc, out, err = run(script.replace("m.x[4 - k]", "m.x[k/2]"), "c.ocl", ".")
    check("a subscript is an integer", rc == 1 and "integer, not 0.5" in err, err)


def test_errors():
    started = "BEGIN\n  Hybrid::SwitchStretch m;\n  Simulator s(m);\n"
    started += "  m.q := 1; m.x := [0.3; 0.826]; s.start;\n  print(%s);\nEND"
    for text, line, words in (
        (started % "m.none", 5, "there is no variable 'none' in model 'm'"),
        (started % "m.x", 5, "'m.x' is a vector; name an element, as m.x[1]"),
        (started % "k", 5, "there is no variable 'k'"),
        (started % "n.x", 5, "no simulator has run 'n'"),
        (
            (started % "1").replace("END", "  m.none := 1;\nEND"),
            6,
            "there is no variable 'none' in model 'm'",
        ),
        (
            (started % "1").replace("END", "  s.stoptime := 0.5; s.continue;\nEND"),
            6,
            "'s' is at time 1, after its stop time 0.5; use start for a new run",
        ),
        ("BEGIN\n  Simulator sim(m);\nEND", 2, "there is no model 'm'"),
        ("BEGIN\n  Hybrid::SwitchStretch m;\n  m.q = 1;\nEND", 3, "m"),
        (
            "BEGIN\n  Hybrid::SwitchStretch m;\n  Simulator s(m);\n  s.continue;\nEND",
            4,
            "has not been started",
        ),
        (
            "BEGIN\n  Hybrid::SwitchStretch m;\n  Simulator s(m);\n  s.speed := 1;\nEND",
            4,
            "stoptime",
        ),
        ("BEGIN\n  for k := [1] BEGIN END;\nEND", 2, "range"),
        (
            "BEGIN\n  Hybrid::SwitchStretch m;\n  Simulator s(m);\n  s.save(1);\nEND",
            4,
            "text in quotes",
        ),
        ("BEGIN\n  print(1);\n", 3, "END"),
        ("BEGIN\n  print(%s1);\nEND" % ("(" * 100000), 2, "nest more than 100 deep"),
        ("BEGIN\n  print(%s1);\nEND" % ("-" * 100000), 2, "nest more than 100 deep"),
        ("BEGIN\n  for k := [1:1e999] BEGIN END;\nEND", 2, "this range has no end"),
    ):
        rc, out, err = run(text)
        check(
            "error in: " + text,
            rc == 1 and re.search(r"s\.ocl:%d:\d+: error: .*%s" % (line, re.escape(words)), err),
            err,
        )
    rc, out, err = run("BEGIN Hybrid::NoSuch m; END")
    check("unknown class", rc == 1 and "NoSuch" in err, err)
    rc, out, err = run(None, "missing.ocl")
    check("missing script", rc == 2, err)


program.run_tests()
