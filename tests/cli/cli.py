"""The program as a user calls it."""
import csv, fcntl, json, math, os, re, signal, struct, subprocess, sys, time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import KAIROS, TOP, call, example, write

BALL, GEARS, LINE = (example(name + ".mo") for name in ("BouncingBall", "Gears", "HeatLine"))


def rows(name):
    with open(name, newline="") as f:
        return list(csv.reader(f))


def column(name, variable):
    table = rows(name)
    k = table[0].index(variable)
    return [float(r[k]) for r in table[1:]]


def test_help_and_version():
    rc, out, _ = call("--help")
    assert rc == 0 and "simulate" in out
    for command in ("simulate", "check", "flatten", "equations", "dump", "plot", "compare"):
        rc, out, _ = call(command, "--help")
        assert rc == 0 and "usage: kairos " + command in out, out
        assert call("help", command)[:2] == (rc, out)
    rc, _, err = call("help", "fly")
    assert rc == 2 and "no command 'fly'" in err, err
    assert re.match(r"kairos \d+\.\d+\.\d+\n$", call("version")[1])
    assert call()[0] == 2


def test_elements_of_a_class_are_listed():
    text = "model M\n  import Hybrid.Mechanics.Rotational.*;\n  %s\nend M;\n"
    with open("M.mo", "w") as f:
        f.write(text % "Inertia a, b; equation connect(a.flange, b.flange);")
    _, _, err = call("check", "M.mo")
    assert err.count("note: it has J, a, b, phi, w\n") == 2, err
    _, _, err = call("check", "Hybrid.Electrical.Motor")
    assert "note: it has Interfaces, Ground, Resistor, " in err and ", ...\n" in err, err


def test_messages_of_first_mistakes():
    few = "model M Real x(start=1), v; equation der(x) = v; end M;"
    rc, _, err = call("check", write("few.mo", few))
    assert rc == 1 and "the unknowns are x, v" in err, err
    state = "model M Real v; equation der(v) = 1; when v > 1 then v = 0; end when; end M;"
    rc, _, err = call("check", write("state.mo", state))
    assert rc == 1 and "write reinit(v, …) to change a state at an event" in err, err
    case = "model M Hybrid.Electrical.Resistor R(r=10); end M;"
    rc, _, err = call("check", write("case.mo", case))
    assert rc == 1 and "did you mean 'R'?" in err, err


def test_wrong_calls():
    for arguments in (
        ["fly"],
        ["simulate"],
        ["simulate", BALL, "--wings"],
        ["simulate", BALL, "--tolerance", "tight"],
        ["simulate", BALL, "--intervals", "0"],
        ["simulate", "missing.mo"],
        ["simulate", BALL, "--set", "e"],
        ["simulate", BALL, "--set", "zz=1"],
        ["simulate", BALL, "--set", "e=fast"],
        ["simulate", BALL, "--solver", "magic"],
        ["simulate", BALL, "--log", "everything"],
        ["simulate", BALL, "--output", "r.xyz"],
        ["simulate", BALL, "--output", "no/such/r.csv"],
        ["dump", BALL],
        ["dump", "--after=lunch", BALL],
        ["simulate", BALL, "--emit-c", "no/such/b.c"],
        ["simulate", BALL, "--compiler", "magic"],
        ["plot"],
        ["plot", "missing.csv"],
        ["compare", "a.csv"],
    ):
        rc, _, err = call(*arguments)
        assert rc == 2 and err.strip(), (arguments, rc, err)
        assert len(err) < 1000, err


def test_result_beside_the_caller():
    rc, out, err = call("simulate", BALL)
    assert rc == 0 and out == "", (rc, out, err)
    table = rows("BouncingBall.csv")
    assert table[0] == ["time", "h", "der(h)", "v", "der(v)"], table[0]
    times = column("BouncingBall.csv", "time")
    assert times[0] == 0 and times[-1] == 2
    assert len(times) == 501 + 2 * 4, len(times)  # 500 intervals, two rows at each of four impacts
    assert sorted(times) == times


def test_settings_need_no_compilation():
    rc, _, err = call("simulate", BALL, "--set", "e=0.9", "--set", "h.start=2", "--output", "a.csv")
    assert rc == 0, err
    assert column("a.csv", "h")[0] == 2
    rc, _, err = call("simulate", BALL, "--set", "ee=1", "--output", "b.csv")
    assert rc == 2 and "'e'" in err and not os.path.exists("b.csv"), err
    rc, _, err = call("simulate", BALL, "--set", "h=1", "--output", "b.csv")
    assert rc == 2 and "h.start" in err, err


def test_settings_of_start_values_that_the_plan_counts_on():
    # the start of the pendulum decides which redundant condition is used
    model = os.path.join(TOP, "tests/models/initialization/level_pendulum.mo")
    rc, _, err = call(
        "simulate",
        model,
        "--set",
        "x.start=0",
        "--set",
        "y.start=-0.5",
        "--set",
        "vx.start=1",
        "--output",
        "p.csv",
    )
    assert rc == 0, err
    assert abs(column("p.csv", "y")[0] + 0.5) < 1e-9 and column("p.csv", "vx")[0] == 1
    energy = column("p.csv", "energy")
    assert max(abs(e - energy[0]) for e in energy) < 1e-5


def test_settings_that_shape_the_model():
    rc, _, err = call("simulate", LINE, "--set", "n=3", "--output", "line.csv")
    assert rc == 0, err
    header = rows("line.csv")[0]
    assert "cell[3].T" in header and "cell[4].T" not in header


def test_settings_that_shape_one_element():
    m = write(
        "chains.mo",
        (
            "model Chain parameter Integer n = 1; Real x[n] = fill(time, n); end Chain; model"
            " Chains Chain c[2]; end Chains;"
        ),
    )
    rc, _, err = call("simulate", m, "--set", "c[2].n=3", "--output", "chains.csv")
    assert rc == 0 and rows("chains.csv")[0][1:] == [
        "c[1].x[1]",
        "c[2].x[1]",
        "c[2].x[2]",
        "c[2].x[3]",
    ], err
    rc, _, err = call("simulate", m, "--set", "c[3].n=3", "--output", "chains.csv")
    assert rc == 2 and "c[3].n" in err, err


def test_settings_of_texts():
    with open("text.mo", "w") as f:
        f.write(
            'model Text\n  parameter String mode = "fast";\n  parameter Real k = if mode == "a'
            ' b/\\"c\\"" then 2 else 1;\n  Real x = k*time;\nend Text;\n'
        )
    for value, k in (("fast", 1), ('a b/"c"', 2), ('"fast"', 1)):
        rc, _, err = call("simulate", "text.mo", "--set", "mode=" + value, "--output", "text.csv")
        assert rc == 0 and column("text.csv", "x")[-1] == k, (value, err)


def test_settings_of_enumerations():
    with open("gear.mo", "w") as f:
        f.write(
            "model Gear\n  type Mode = enumeration(slow, fast);\n  parameter Mode m = Mode.slow;\n"
            "  Real x = Integer(m)*time;\nend Gear;\n"
        )
    for value, end in (("fast", 2), ("Mode.fast", 2), ("2", 2), ("1", 1)):
        rc, _, err = call("simulate", "gear.mo", "--set", "m=" + value, "--output", "gear.csv")
        assert rc == 0 and column("gear.csv", "x")[-1] == end, (value, err)
    for value in ("0", "3", "1.5"):
        rc, _, err = call("simulate", "gear.mo", "--set", "m=" + value, "--output", "gear.csv")
        assert rc == 2 and "give an enumeration literal" in err, (value, err)


def test_mat_and_csv_agree():
    assert call("simulate", GEARS, "--output", "g.mat")[0] == 0
    assert call("simulate", GEARS, "--output", "g.csv")[0] == 0
    rc, out, err = call("compare", "g.csv", "g.mat", "motor.w", "load.phi", "gear.a.tau")
    assert rc == 0 and "3 of 3 signals agree" in out, (out, err)
    with open("g.mat", "rb") as f:
        kind, n_rows, n_columns, imaginary, size = struct.unpack("<5i", f.read(20))
        assert (kind, n_rows, imaginary) == (51, 4, 0) and f.read(size) == b"Aclass\0"


def test_compare_says_where():
    call("simulate", BALL, "--output", "a.csv")
    call("simulate", BALL, "--output", "b.csv", "--set", "e=0.71")
    rc, out, _ = call("compare", "b.csv", "a.csv", "h", "v")
    assert (
        rc == 1 and "0 of 2 signals agree" in out and "leaves the tube first at t = 0.4" in out
    ), out
    assert call("compare", "a.csv", "a.csv")[0] == 0


def test_variables_and_protected():
    write(
        "P.mo",
        (
            "model P\n  Real x(start=1, fixed=true);\nprotected\n  Real y = 2*x;\nequation\n "
            " der(x) = -y;\nend P;\n"
        ),
    )
    call("simulate", "P.mo", "--output", "p.csv")
    assert rows("p.csv")[0] == ["time", "x", "der(x)", "y"]
    call("simulate", "P.mo", "--output", "p.csv", "--hide-protected")
    assert rows("p.csv")[0] == ["time", "x", "der(x)"]
    call("simulate", "P.mo", "--output", "p.csv", "--variables", "^x$")
    assert rows("p.csv")[0] == ["time", "x"]


def test_plots():
    rc, _, err = call("simulate", BALL, "--output", "a.csv", "--plot", "a.svg")
    assert "<svg" in open("a.svg").read() and "a.csv\n" in err and "a.svg\n" in err, err
    rc, _, err = call("plot", "a.csv", "h", "-o", "h.png")
    assert rc == 0 and open("h.png", "rb").read(8) == b"\x89PNG\r\n\x1a\n", err
    rc, _, err = call("plot", "a.csv", "hh", "-o", "h.png")
    assert rc == 2 and "'h'" in err, err


PENDULUM = """model Pendulum "Pushed against a stop, and pulled away when A*cos(W*time) = g*sin(stop)"
  parameter Real g = 9.81, A = 6, W = 0.5, stop = 0.3;
  Real phi(start = 0.1, fixed = true), w(start = 0, fixed = true);
equation
  der(phi) = w;
  der(w) = A*cos(W*time) - g*sin(phi);
  when phi >= stop then
    reinit(w, -0.5*pre(w));
  end when;
end Pendulum;
"""


def test_one_warning_for_repeated_rest():
    with open("P.mo", "w") as f:
        f.write(PENDULUM)
    rc, _, err = call("simulate", "P.mo", "--stop-time", "30", "--log", "events")
    assert rc == 0 and err.count("R020") == 1, err
    assert len(re.findall("Motion at rest .* begins", err)) == 3, err
    ends = [float(t) for t in re.findall(r"Motion at rest .* ends at time = (.*)\.\n", err)]
    first = math.acos(9.81 * math.sin(0.3) / 6) / 0.5
    expected = [first + k * 4 * math.pi for k in range(3)]
    assert all(abs(a - b) < 1e-5 for a, b in zip(ends, expected)) and len(ends) == 3, ends


def test_slide_begins_at_once():
    """A mass on a belt sticks after a few switchings, not after a hundred."""
    write(
        "S.mo",
        """model S
  Real x(start = 0.6, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = (if v > 0.5 then -0.8 else 0.8) - 4*x;
  annotation(experiment(StopTime = 3.3));
end S;
""",
    )
    rc, _, err = call("simulate", "S.mo", "--log", "events")
    assert rc == 0 and err.count("R019") == 1, err
    assert err.count("Event at time") < 10, err


def test_events_as_json():
    rc, out, err = call("simulate", BALL, "--output", "a.csv", "--events", "-")
    events = [json.loads(line) for line in out.splitlines()]
    assert rc == 0 and len(events) == 4, out
    assert abs(events[0]["time"] - 0.4515236409857309) < 1e-6


def test_triggers_in_the_words_of_the_model():
    write(
        "m.mo",
        """model M
  Real x(start = 0, fixed = true), u = if time < 0.2 then 0 else 1, y, back;
  Real T = 0.3 + 0.1*time;
  Boolean b = delay(x, 0.25) > 0.3, c = delay(u, T, 1) > 0.5;
  Integer n = integer(2*x + 0.5);
equation
  der(x) = 1;
  (back, y) = spatialDistribution(u, 0, 2*x, true);
end M;
""",
    )
    rc, out, err = call("simulate", "m.mo", "--output", "a.csv", "--log", "events", "--events", "-")
    events = [json.loads(line) for line in out.splitlines()]
    triggers = [
        (t["kind"], t["text"], t["value"], t["line"]) for e in events for t in e["triggers"]
    ]
    assert rc == 0 and triggers == [
        ("time", "time < 0.2", False, 2),
        ("relation", "integer(2.0*x + 0.5)", 1, 5),
        ("relation", "delay(x, 0.25) > 0.3", True, 4),
        ("delay", "u", True, 4),
        ("delay", "u", True, 8),
        ("relation", "integer(2.0*x + 0.5)", 2, 5),
    ], triggers
    assert (
        "Delayed jump of u arrives (m.mo:8)" in err
        and "Expression integer(2.0*x + 0.5) became 1 (m.mo:5)" in err
    ), err


def test_no_events_on_request():
    write(
        "m.mo",
        """model M
  block Limiter
    input Real u;
    output Real y;
    Boolean high = u > 0.5;
  equation
    y = if u > 1 then 1 elseif u < -1 then -1 else u;
  end Limiter;
  Limiter a[2](each u = 2*sin(time)), b(u = 2*sin(time));
  Real x(start = 0, fixed = true);
equation
  der(x) = a[1].y + a[2].y + b.y;
  annotation(experiment(StopTime = 3));
end M;
""",
    )
    rc, _, err = call("simulate", "m.mo", "--output", "a.csv", "--events", "e.json")
    assert rc == 0 and "literally" not in err, err
    end = column("a.csv", "x")[-1]
    for patterns, places, events in (
        (["b"], 1, 4),
        (["a"], 1, 4),
        (["a[2]", "b"], 1, 4),
        (["*"], 1, 2),
        (["?"], 1, 2),
    ):
        asked = [word for p in patterns for word in ("--no-events", p)]
        rc, _, err = call("simulate", "m.mo", "--output", "a.csv", "--events", "e.json", *asked)
        assert rc == 0 and err.count("evaluated literally") == places, err
        assert abs(column("a.csv", "x")[-1] - end) < 1e-4
        with open("e.json") as f:
            lines = [json.loads(line) for line in f]
        assert lines[0]["withoutEvents"][0]["line"] == 7 and len(lines) == 1 + events, (
            patterns,
            lines,
        )
    rc, out, _ = call("flatten", "m.mo", "--no-events", "b.*")
    assert rc == 0 and out.count("noEvent") == 1, out
    rc, _, err = call("simulate", "m.mo", "--no-events", "c")
    assert rc == 2 and "U013" in err, err


def test_epsilon():
    write(
        "m.mo",
        """model M
  Real x = 1e-3*sin(time);
  Boolean b = x > 0;
  annotation(experiment(StopTime = 20));
end M;
""",
    )
    for epsilon, events in (("1e-10", 6), ("1e-4", 6), ("1e-2", 0)):
        rc, out, err = call(
            "simulate", "m.mo", "--output", "a.csv", "--events", "-", "--event-epsilon", epsilon
        )
        assert rc == 0 and abs(len(out.splitlines()) - events) <= 1, (epsilon, out)
    rc, _, err = call("simulate", "m.mo", "--event-epsilon", "-1")
    assert rc == 2 and err, err


def test_logs():
    rc, _, err = call("simulate", BALL, "--output", "a.csv", "--log", "events,stats,init")
    assert rc == 0 and "0.4515" in err and "steps" in err, err


def test_phases_print():
    for phase in ("syntax", "instance", "flatten", "dae", "structure", "codegen"):
        rc, out, err = call("dump", "--after=" + phase, GEARS)
        assert rc == 0 and "motor" in out, (phase, err)
    rc, out, _ = call("equations", GEARS)
    assert rc == 0 and "der(" in out


def test_compilers_agree_to_the_last_bit():
    call("simulate", GEARS, "--output", "a.csv", "--compiler", "tcc", "--emit-c", "gears.c")
    rc, _, err = call("simulate", GEARS, "--output", "b.csv", "--compiler", "cc")
    assert rc == 0, err
    assert open("a.csv").read() == open("b.csv").read()
    assert "kairos_model" in open("gears.c").read()


def test_several_errors_in_one_go():
    write("Bad.mo", "model Bad\n  Real x = 1\n  Real y = ;\nequation\n  x + = 2;\nend Bad;\n")
    rc, _, err = call("check", "Bad.mo")
    assert rc == 1 and err.count("error[") >= 3, err
    rc, _, err = call("check", "Bad.mo", "--diagnostics=json")
    told = json.loads(err)
    assert all(d["file"] == "Bad.mo" and d["line"] >= 2 for d in told), told


def test_failure_saves_results():
    write(
        "Log.mo",
        (
            "model Log\n  Real x(start=1, fixed=true);\n  Real y = log(x);\nequation\n  der(x) ="
            " -1;\nend Log;\n"
        ),
    )
    rc, _, err = call("simulate", "Log.mo", "--stop-time", "2", "--output", "log.csv")
    assert rc == 3 and "log(x)" in err and "Log.mo:3" in err, (rc, err)
    assert 0.9 < column("log.csv", "time")[-1] <= 1.01


def test_assertion_ends_the_run():
    write(
        "A.mo",
        (
            'model A\n  Real x(start=0, fixed=true);\nequation\n  der(x) = 1;\n  assert(x < 0.5, "x'
            ' is too large");\nend A;\n'
        ),
    )
    rc, _, err = call("simulate", "A.mo", "--output", "a.csv")
    assert rc == 3 and "x is too large" in err and "A.mo:5" in err, (rc, err)
    assert column("a.csv", "time")[-1] <= 0.51


def test_assertion_of_a_when_tells_its_own_condition():
    rc, _, err = call(
        "simulate",
        os.path.join(TOP, "tests/models/events/assert_when_text.mo"),
        "--output",
        "a.csv",
    )
    assert rc == 3 and "the condition x < 0.2 is false" in err and "$when" not in err, err


def test_stiffness_is_told_of_the_chosen_method():
    write(
        "Stiff.mo",
        """model Stiff
  Real h(start=1, fixed=true), v(start=0, fixed=true), z(start=1, fixed=true);
equation
  der(h) = v;
  der(v) = -9.81;
  der(z) = -1e5*(z - h);
  when h < 0 then
    reinit(v, -0.7*pre(v));
  end when;
end Stiff;
""",
    )
    for solver, told in ("cvode", False), ("dopri5", True):
        code, out, err = call("simulate", "Stiff.mo", "--stop-time", "2.6", "--solver", solver)
        assert code == 0 and ("R011" in err) == told, (solver, code, err)


def test_model_from_standard_input():
    text = "model Decay\n  Real x(start=1, fixed=true);\nequation\n  der(x) = -x;\nend Decay;\n"
    for command in (["simulate", "-", "--output", "d.csv"], ["check", "-"], ["equations", "-"]):
        p = subprocess.run(
            [KAIROS, *command], input=text, capture_output=True, text=True, timeout=60
        )
        assert p.returncode == 0, (command, p.stderr)
    assert abs(column("d.csv", "x")[-1] - math.exp(-1)) < 1e-5
    p = subprocess.run(
        [KAIROS, "simulate", "-"],
        input=text.replace("-x", "-y"),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert p.returncode == 1 and p.stderr.startswith("<stdin>:4:13: error[I001]"), p.stderr
    p = subprocess.run(
        [KAIROS, "simulate", "-"], input="", capture_output=True, text=True, timeout=60
    )
    assert p.returncode in (1, 2) and p.stderr, p.stderr


def test_interrupt_saves_results():
    write(
        "Long.mo",
        (
            "model Long\n  Real x(start=1, fixed=true), y(start=0, fixed=true);\nequation\n  der(x)"
            " = 1000*y;\n  der(y) = -1000*x;\nend Long;\n"
        ),
    )
    for number in (signal.SIGINT, signal.SIGTERM):
        p = subprocess.Popen(
            [
                KAIROS,
                "simulate",
                "Long.mo",
                "--stop-time",
                "100000",
                "--output",
                "long.csv",
                "--solver",
                "dopri5",
            ],
            stderr=subprocess.PIPE,
        )
        time.sleep(2)
        p.send_signal(number)
        _, err = p.communicate(timeout=30)
        assert p.returncode == 130, (number, p.returncode, err)
        assert len(rows("long.csv")) > 1
        os.unlink("long.csv")


SLOW_CODE = """model SlowCode
  function slow
    input Real u; output Real y;
  external "C" y = slow_code(u) annotation(Include = "
#define TEN(x) x x x x x x x x x x
static double slow_code(double u)
{ TEN(TEN(TEN(TEN(u = u*1.0000001 + (u > 2 ? 1e-9 : 0);)))) return u; }");
  end slow;
  constant Real c = slow(1);
  Real x = c;
end SlowCode;
"""


LONG_FUNCTION = """model LongFunction
  function part
    input Real u; output Real y = 0;
  algorithm
    for i in 1:1000 loop
      y := y + sin(u + i);
    end for;
  end part;
  function whole
    input Real u; output Real y = 0;
  algorithm
    for i in 1:10000000 loop
      y := y + part(u + i);
    end for;
  end whole;
  parameter Real u = 1;
  Real x(start = whole(u), fixed = true) = time + whole(u*time);
end LongFunction;
"""


def test_interrupt_ends_long_functions():
    write("LongFunction.mo", LONG_FUNCTION)
    p = subprocess.Popen([KAIROS, "simulate", "LongFunction.mo"], stderr=subprocess.PIPE)
    time.sleep(1.5)
    p.send_signal(signal.SIGTERM)
    start = time.time()
    _, err = p.communicate(timeout=60)
    assert p.returncode == 130 and time.time() - start < 2, (p.returncode, err)


def interrupted(words, number, env):
    """Seconds from the signal to the end. The signal comes while the program works, on fast
    machines and on slow ones: not after its end, and not before it listens."""
    delay = 0.2
    for _ in range(10):
        p = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=env)
        time.sleep(delay)
        p.send_signal(number)
        start = time.time()
        _, err = p.communicate(timeout=30)
        if p.returncode not in (0, -number):
            break
        delay *= 0.5 if p.returncode == 0 else 1.7
    assert p.returncode == 130, (words, number, p.returncode, err)
    return time.time() - start


def test_interrupt_ends_compilers():
    """Ctrl-C and SIGTERM end each phase within a second, with compilers and their files."""
    write("SlowCode.mo", SLOW_CODE)
    big = "model Big\n" + "".join(
        "  Real x%d(start=1); Real y%d;\nequation\n  der(x%d) = y%d; y%d = -x%d;\npublic\n"
        % ((k,) * 6)
        for k in range(20000)
    )
    write("Big.mo", big + "end Big;\n")
    env = dict(os.environ, XDG_CACHE_HOME=os.path.abspath("cache"), TMPDIR=os.path.abspath("tmp"))
    os.makedirs("tmp")
    for command, model in (("check", "SlowCode.mo"), ("simulate", "Big.mo"), ("flatten", "Big.mo")):
        for number in (signal.SIGINT, signal.SIGTERM):
            took = interrupted([KAIROS, command, model], number, env)
            assert took < 2, (command, model, number, took)
            left = [f for _, folders, files in os.walk("cache") for f in folders + files]
            left = [f for f in left if f.startswith("kairos-")] + os.listdir("tmp")
            assert not left, (command, model, number, left)


def running_in(folder):
    """Processes that name the folder in their arguments."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % pid, "rb") as f:
                found += [pid] if os.fsencode(folder) in f.read() else []
        except OSError:  # it has ended
            pass
    return found


def writes_nameless(pid):
    """Whether the process writes a file of this folder that has no name."""
    names = []
    for fd in os.listdir("/proc/%d/fd" % pid):
        try:
            names.append(os.readlink("/proc/%d/fd/%s" % (pid, fd)))
        except FileNotFoundError:  # closed since
            pass
    return any(n.startswith(os.getcwd() + "/#") and n.endswith("(deleted)") for n in names)


def test_folder_that_is_no_package():
    os.mkdir("plain")
    rc, _, err = call("check", "plain")
    assert rc == 2 and "cannot read 'plain/package.mo'" in err and "name a file" in err, err


def test_folders_of_killed_compilers_are_removed():
    """If the guard was killed too, the next compilation removes the folder, unless it is used."""
    write("M.mo", "model M\n  Real x = time;\nend M;\n")
    kept = ["kairos-cc-inuse1", "kairos-other"]
    for name in kept + ["kairos-cc-killed"]:
        os.makedirs(os.path.join("place", name))
        write(os.path.join("place", name, "model.c"), "")
    used = os.open("place/kairos-cc-inuse1", os.O_RDONLY)
    fcntl.flock(used, fcntl.LOCK_EX)
    env = dict(os.environ, TMPDIR=os.path.abspath("place"), XDG_CACHE_HOME=os.path.abspath("place"))
    rc, _, err = call("simulate", "M.mo", "--compiler", "cc", env=env)
    os.close(used)
    left = [f for f in os.listdir("place") if f.startswith("kairos-")]
    assert rc == 0, err
    assert sorted(left) == kept, left


def test_kill_leaves_no_part_of_a_result():
    try:
        os.close(os.open(".", os.O_TMPFILE | os.O_RDWR))
    except OSError:
        return  # the file system has no files without a name
    write("Long.mo", "model Long\n  Real x = sin(time);\nend Long;\n")
    words = [KAIROS, "simulate", "Long.mo", "--intervals", "100000000", "--output", "long.csv"]
    p = subprocess.Popen(words, stderr=subprocess.DEVNULL)
    while p.poll() is None and not writes_nameless(p.pid):
        time.sleep(0.01)
    p.kill()
    assert p.wait() == -signal.SIGKILL
    assert os.listdir(".") == ["Long.mo"], os.listdir(".")


def test_pipe_takes_any_number_of_rows():
    """A result that goes to a pipe is not held in memory."""
    write("Long.mo", "model Long\n  Real x = sin(time);\nend Long;\n")
    os.mkfifo("p.csv")
    most = []
    for count in 20000, 400000:
        words = [KAIROS, "simulate", "Long.mo", "--intervals", str(count), "--output", "p.csv"]
        p = subprocess.Popen(words, stderr=subprocess.DEVNULL)
        with open("p.csv", "rb") as f:
            assert sum(1 for line in f) == count + 2  # the names, and both ends
        _, status, used = os.wait4(p.pid, 0)
        p.returncode = status
        assert status == 0
        most.append(used.ru_maxrss)
    assert program.SANITIZED or most[1] < most[0] + 2000, most  # kB; the result has 20 MB


def test_kill_ends_compilers():
    """A program that is killed takes its compiler, and the compiler's files, with it."""
    write("SlowCode.mo", SLOW_CODE)
    folder = os.path.abspath("killed")
    env = dict(os.environ, XDG_CACHE_HOME=folder)
    p = subprocess.Popen([KAIROS, "check", "SlowCode.mo"], stderr=subprocess.DEVNULL, env=env)
    start = time.time()
    while not any("cc1" in open("/proc/%s/cmdline" % x).read() for x in running_in(folder)):
        assert time.time() - start < 30 and p.poll() is None, "the compiler was not started"
        time.sleep(0.01)
    p.kill()
    p.wait()
    start = time.time()
    while running_in(folder) and time.time() - start < 20:
        time.sleep(0.05)
    assert not running_in(folder)
    left = [f for _, folders, _ in os.walk(folder) for f in folders if f.startswith("kairos-")]
    assert not left, left


def test_sweep():
    rc, _, err = call(
        "simulate",
        LINE,
        "--set",
        "n=2",
        "--sweep",
        "hot.T0=300:50:400",
        "--sweep",
        "cell[1].T.start=300,310",
        "--variables",
        "^cell[^.]*[.]T$",
        "--stop-time",
        "0.1",
        "--tolerance",
        "1e-9",
        "--output",
        "sw.csv",
        "--jobs",
        "3",
    )
    assert rc == 0, err
    table = rows("sw_sweep.csv")
    assert table[0] == [
        "run",
        "hot.T0",
        "cell[1].T.start",
        "status",
        "time",
        "cell[1].T",
        "cell[2].T",
    ], table[0]
    assert [r[:4] for r in table[1:]] == [
        [str(i + 1), t, s, "0"]
        for i, (t, s) in enumerate((t, s) for t in ("300", "350", "400") for s in ("300", "310"))
    ]
    for i, row in enumerate(table[1:]):
        assert float(row[5]) == column("sw_%d.csv" % (i + 1), "cell[1].T")[-1]
        one = call(
            "simulate",
            LINE,
            "--set",
            "n=2",
            "--set",
            "hot.T0=" + row[1],
            "--set",
            "cell[1].T.start=" + row[2],
            "--variables",
            "^cell[^.]*[.]T$",
            "--stop-time",
            "0.1",
            "--tolerance",
            "1e-9",
            "--output",
            "one.csv",
        )
        assert one[0] == 0 and rows("one.csv") == rows("sw_%d.csv" % (i + 1))
    rc, _, err = call(
        "simulate", LINE, "--sweep", "n=2,4", "--output", "shape.csv"
    )  # each compiles the model anew
    assert (
        rc == 0
        and "cell[4].T" in rows("shape_2.csv")[0]
        and "cell[3].T" not in rows("shape_1.csv")[0]
    ), err
    for wrong in ("hot.T0=1:x", "hot.T0=1:0:2", "hot.T0", "hot.T0=3:1", "nothing=1,2"):
        rc, _, err = call("simulate", LINE, "--sweep", wrong, "--output", "bad.csv")
        assert rc == 2 and err, (wrong, err)
        assert not [f for f in os.listdir(".") if f.startswith("bad")]


GROWING = """model Growing
  parameter Integer n = 3;
  Real x[n](each start = 1, each fixed = true), z(start = 0, fixed = true);
equation
  for i in 1:n loop
    der(x[i]) = -i*x[i];
  end for;
  der(z) = n;
end Growing;
"""
SOMETIMES = """model Sometimes
  function f
    input Real x;
    output Real y;
    external "C" y = sometimes_killed(x) annotation(Include = "
#include <signal.h>
#include <unistd.h>
double sometimes_killed(double x) { if (x > 2.5 && x < 3.5) kill(getpid(), SIGUSR2); return x; }");
  end f;
  parameter Real p = 1;
  Real x(start = 0, fixed = true);
equation
  der(x) = f(p);
end Sometimes;
"""


def test_a_sweep_is_a_study():
    """Variables keep their columns if the structure differs between runs; a run that ends its
    process costs that run; messages say of which run they are; nothing else is left."""
    write("Growing.mo", GROWING)
    rc, _, err = call("simulate", "Growing.mo", "--sweep", "n=2,4,1", "--jobs", "3")
    table = rows("Growing_sweep.csv")
    assert rc == 0 and "z" in table[0] and "x[2]" in table[0] and "x[3]" not in table[0], err
    z, x = table[0].index("z"), table[0].index("x[2]")
    assert [abs(float(r[z]) - float(r[1])) < 1e-6 for r in table[1:]] == 3 * [True], table
    assert table[3][x] == "" and abs(float(table[2][x]) - math.exp(-2)) < 1e-5, table
    write("Sometimes.mo", SOMETIMES)
    rc, _, err = call("simulate", "Sometimes.mo", "--sweep", "p=1:4", "--jobs", "2")
    assert rc == 3 and "run 3 of 4: the process was ended by signal" in err, err
    assert [r[2] for r in rows("Sometimes_sweep.csv")[1:]] == ["0", "0", "3", "0"]
    assert not os.path.exists("Sometimes_3.csv") and os.path.exists("Sometimes_4.csv")
    options = ("simulate", BALL, "--stop-time", "5", "--sweep", "e=0.3,0.6")
    err = call(*options)[2]
    assert err.index("run 1 of 2:\n") < err.index("R020") < err.index("run 2 of 2:\n"), err
    found = json.loads(call(*options, "--diagnostics", "json")[2])
    assert [m["code"] for m in found] == ["R020", "R020"], found
    rc, _, err = call(*options, "--profile", "p.json")
    assert rc == 2 and "--profile" in err, err
    assert not [f for f in os.listdir(".") if f.endswith(("journal", "times.csv", "part"))]


def test_an_interrupted_sweep_keeps_its_table():
    write("Swing.mo", SWING)
    p = subprocess.Popen(
        [KAIROS, "simulate", "Swing.mo", "--stop-time", "1e7", "--intervals", "10"]
        + ["--sweep", "x[1].start=1,2,3", "--jobs", "2", "--log", "init"],
        stderr=subprocess.PIPE,
        text=True,
    )
    p.stderr.readline()  # a run has begun
    p.send_signal(signal.SIGTERM)
    err = p.communicate(timeout=60)[1]
    assert p.returncode == 130, (p.returncode, err)
    table = rows("Swing_sweep.csv")
    assert {r[2] for r in table[1:]} <= {"130"} and len(table) < 4, table
    assert not os.path.exists("Swing_sweep.journal")


SWING = """model Swing
  Real x[20](each start = 1, each fixed = true), v[20](each start = 0, each fixed = true);
equation
  for i in 1:20 loop
    der(x[i]) = v[i];
    der(v[i]) = -sin(x[i])*(1 + 0.1*i) + 0.1*cos(time*i) + 0.001*exp(-x[i]^2);
  end for;
end Swing;
"""


def test_tiers_compute_the_same_bits():
    write("Swing.mo", SWING)
    os.makedirs("tiers", exist_ok=True)
    results = []
    for compiler in ("tcc", "cc", "auto"):
        rc, _, err = call(
            "simulate",
            "Swing.mo",
            "--stop-time",
            "400",
            "--compiler",
            compiler,
            "--output",
            "s.csv",
            "--log",
            "stats",
            env=dict(os.environ, TMPDIR=os.path.abspath("tiers")),
        )
        assert rc == 0 and not os.listdir("tiers"), (err, os.listdir("tiers"))
        with open("s.csv", "rb") as f:
            results.append(f.read())
    assert results[0] == results[1] == results[2]
    rc, _, err = call(
        "simulate",
        "Swing.mo",
        "--stop-time",
        "400",
        "--output",
        "s.csv",
        "--log",
        "stats",
        env=dict(os.environ, PATH="/nowhere"),
    )
    assert rc == 0 and "error" not in err, err


def test_interrupt_ends_the_background_compiler():
    write("Swing.mo", SWING)
    os.makedirs("tiers", exist_ok=True)
    os.makedirs("fake", exist_ok=True)
    write("fake/cc", "#!/bin/sh\necho $$ > %s\nsleep 100\n" % os.path.abspath("fake/pid"))
    os.chmod("fake/cc", 0o755)
    env = dict(
        os.environ,
        TMPDIR=os.path.abspath("tiers"),
        PATH=os.path.abspath("fake") + ":" + os.environ["PATH"],
    )
    for compiler in ("auto", "cc"):
        p = subprocess.Popen(
            [
                KAIROS,
                "simulate",
                "Swing.mo",
                "--stop-time",
                "1e6",
                "--output",
                "s.csv",
                "--compiler",
                compiler,
            ],
            stderr=subprocess.PIPE,
            env=env,
        )
        for _ in range(300):
            time.sleep(0.1)
            if os.path.exists("fake/pid") and open("fake/pid").read().strip():
                break
        pid = int(open("fake/pid").read())
        os.unlink("fake/pid")
        p.send_signal(signal.SIGINT)
        err = p.communicate(timeout=60)[1]
        assert p.returncode == 130 and not os.listdir("tiers"), (
            p.returncode,
            err,
            os.listdir("tiers"),
        )
        try:
            os.kill(pid, 0)
            assert False, "the compiler still runs"
        except ProcessLookupError:
            pass


def test_external_objects_end_with_the_run():
    things = os.path.join(TOP, "tests/models/functions/external_object_messages.mo")
    made = "construct first %g\nconstruct second %g\n"
    rc, _, err = call("simulate", things, "--output", "r.csv")
    assert rc == 0 and made % (3, 6) in err and err.count("destruct\n") == 2, err
    rc, _, err = call("simulate", things, "--set", "p=7", "--set", "limit=0.5", "--output", "r.csv")
    assert rc == 3 and made % (7, 14) in err and err.count("destruct\n") == 2, err
    p = subprocess.Popen(
        [
            KAIROS,
            "simulate",
            things,
            "--stop-time",
            "1e9",
            "--intervals",
            "100000000",
            "--set",
            "limit=1e12",
            "--output",
            "r.csv",
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    time.sleep(1)
    p.send_signal(signal.SIGINT)
    err = p.communicate(timeout=60)[1].decode()
    assert p.returncode == 130 and err.count("destruct\n") == 2, err


def test_library_path():
    os.makedirs("lib/Lib/Sub")
    write("lib/Lib/package.mo", "within;\npackage Lib\n  constant Real k = 3;\nend Lib;\n")
    write("lib/Lib/package.order", "k\nM\nSub\n")
    write("lib/Lib/M.mo", "within Lib;\nmodel M\n  Sub.N n(p = k);\nend M;\n")
    write("lib/Lib/Sub/package.mo", "within Lib;\npackage Sub\nend Sub;\n")
    write(
        "lib/Lib/Sub/N.mo",
        (
            "within Lib.Sub;\nmodel N\n  parameter Real p = 1;\n  Real x(start=p,"
            " fixed=true);\nequation\n  der(x) = -x;\nend N;\n"
        ),
    )
    rc, _, err = call("simulate", "Lib.M", "--library", "lib", "--output", "m.csv")
    assert rc == 0 and column("m.csv", "n.x")[0] == 3, err
    rc, _, err = call(
        "simulate", "Lib.M", "--output", "m.csv", env=dict(os.environ, MODELICAPATH="nowhere:lib")
    )
    assert rc == 0, err
    rc, _, err = call("simulate", "Lib.Q", "--library", "lib")
    assert rc in (1, 2) and "'Q'" in err, err


program.run_tests()
