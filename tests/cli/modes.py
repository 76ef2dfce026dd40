"""Variable structure for a user: the output of `check --log modes`, the mode in the event log,
statistics, `--structure`."""
import json, os, re, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import TOP, call, write

CLUTCH, DIODE, THYRISTOR, JOINTS = (
    program.example(name + ".mo")
    for name in ("Clutch", "DiodeInductor", "ThyristorResistor", "SixJoints")
)
IMPOSSIBLE, GROUPS = (
    os.path.join(TOP, "tests/models/modes", name + ".mo")
    for name in ("modes_that_cannot_be", "separate_groups")
)


def test_check():
    rc, out, err = call("check", DIODE, "--log", "modes")
    assert rc == 0 and "off = true" in err and "storage element of iD" in err, err
    rc, out, err = call("check", THYRISTOR, "--log", "modes")
    assert rc == 0 and "one plan for all modes" in err, err
    write(
        "Freewheel.mo",
        """model Freewheel
  Real u = 10*sin(time), v1, v2, i1, i2, i(start = 0, fixed = true);
  Boolean off1 = i1 < 0 or v1 < 0, off2 = i2 < 0 or v2 < 0;
equation
  0 = if off1 then i1 else v1;
  0 = if off2 then i2 else v2;
  u = v1 - v2;
  i1 + i2 = i;
  der(i) = -v2 - i;
end Freewheel;
""",
    )
    rc, out, err = call("check", "Freewheel.mo", "--log", "modes")
    text = "With off1 = false and off2 = false together, the equations have no unique solution"
    assert rc == 0 and text in err and "each other position" in err, err
    rc, out, err = call("check", IMPOSSIBLE, "--log", "modes")
    assert rc == 0 and "0 structural guards" in err, err


def evaluations(err):
    return int(re.search(r"(\d+) evaluations of derivatives", err).group(1))


def test_leaks():
    """Which unknowns suit a leaking diode: measured, also if the states lack the digits."""
    model = os.path.join(TOP, "tests/models/solvers/least_leak.mo")
    words = ("simulate", model, "--log", "stats", "--output", "l.csv", "--set")
    rc, out, err = call(*words, "leak=1e-7")
    assert rc == 0 and "inline integration: to compare it" in err, err
    assert "inline integration is not faster" in err and "Solver cvode" in err, err
    rc, out, err = call(*words, "leak=1e-12")
    assert rc == 0 and "the switches need more digits than the states have" in err, err
    longer = (*words, "leak=1e-12", "--stop-time", "2", "--intervals", "100")
    rc, out, err = call(*longer)
    assert rc == 0 and "the switches need more digits than the states have" in err, err
    rc, out, inline = call(*longer, "--solver", "inline-radau")
    assert rc == 0 and evaluations(err) < 0.4 * evaluations(inline), err + inline


def test_event_log():
    rc, out, err = call(
        "simulate", CLUTCH, "--events", "-", "--log", "modes,stats", "--output", "c.csv"
    )
    modes = [json.loads(line)["mode"] for line in out.splitlines() if "mode" in json.loads(line)]
    assert [m["guards"][0]["value"] for m in modes] == [True, False], modes
    assert len(modes[0]["states"]) == 1 and len(modes[1]["states"]) == 2, modes
    assert (
        sorted(j["name"] for j in modes[0]["jumps"]) == ["w1", "w2"] and not modes[1]["jumps"]
    ), modes
    assert modes[0]["differentiated"] == ["w1 = w2"] or modes[0]["differentiated"] == [
        "w2 = w1"
    ], modes
    assert "later ones" in err, err
    assert err.count("Solver auto begins") == 1, err  # although each mode has its own solver
    assert "Modes: 2 visited, 2 changes" in err and "jump: w1 from 11 to 3.66666667" in err, err


def test_parameter_of_a_mode():
    """A parameter decides a mode only by being zero or not."""
    write(
        "Rope.mo",
        """model Rope
  parameter Real L = 1;
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), vx(start = 0, fixed = true),
    vy(start = 0, fixed = true), F;
  Boolean slack = F < 0;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -9.81 - F*y;
  if slack then F = 0; else x^2 + y^2 = L^2; end if;
end Rope;
""",
    )
    rc, out, err = call("simulate", "Rope.mo", "--log", "modes", "--stop-time", "0.5")
    assert rc == 0 and "Mode at time = 0: slack = false, L <> 0\n" in err, err


def test_structure():
    single = ("simulate", CLUTCH, "--structure", "single", "--output", "c.csv", "--log", "stats")
    for solver in ("cvode", "auto"):  # the one plan is the inlined one
        rc, out, err = call(*single, "--solver", solver)
        assert rc == 0 and "inline-radau" in err, err
        with open("c.csv") as f:
            last = [float(x) for x in f.read().splitlines()[-1].split(",")]
        assert abs(last[1] - 5) < 1e-6 and abs(last[3] - 4) < 1e-6, last  # w1, w2
    rc, out, err = call(
        "simulate", CLUTCH, "--structure", "inline", "--output", "c.csv", "--log", "stats"
    )
    assert rc == 0 and "inline-radau" in err, err


def test_inline():
    rc, out, err = call("simulate", DIODE, "--inline", "u*", "--output", "c.csv", "--log", "modes")
    assert rc == 0 and "Inlined:" in err and "iD" in err.split("Inlined:")[1].splitlines()[0], err
    rc, out, err = call(
        "simulate", JOINTS, "--structure", "mixed", "--output", "c.csv", "--log", "modes"
    )
    assert rc == 0 and "Inlined: w1 w2 w3 w4 w5 w6\n" in err, err
    rc, out, err = call("simulate", DIODE, "--inline", "nothing", "--output", "c.csv")
    assert rc == 2 and "no state has this name" in err and "state: iD" in err, err


def test_mixed_mode():
    how = ["--inline", "iD", "--output", "c.csv", "--log", "stats"]
    rc, _, err = call("simulate", DIODE, "--solver", "dopri5", *how)
    assert rc == 0 and "Solver dopri5 with inline-radau:" in err, err
    rc, _, err = call("simulate", DIODE, "--solver", "cvode", "--inline-method", "euler", *how)
    assert rc == 0 and "Solver cvode with inline-euler:" in err, err
    rc, _, err = call("simulate", DIODE, "--solver", "inline-bdf2", *how)
    assert rc == 0 and "Solver inline-bdf2:" in err, err


def test_mixed_mode_that_cannot_be():
    out = ["--output", "c.csv"]
    rc, _, err = call("simulate", DIODE, "--structure", "inline", "--solver", "dopri5", *out)
    assert rc == 2 and "--solver dopri5 has nothing to integrate" in err, err
    rc, _, err = call("simulate", DIODE, "--inline", "*", "--solver", "dopri5", *out)
    assert rc == 2 and "use --solver inline-radau" in err and "inlined: uC" in err, err
    # the clutch ties both speeds to each other, so the other one is inlined too
    rc, _, err = call("simulate", CLUTCH, "--inline", "w1", "--solver", "radau", *out)
    assert rc == 2 and "inlined: w2" in err, err
    rc, _, err = call("simulate", DIODE, "--inline", "iD", "--structure", "modes", *out)
    assert rc == 2 and "exclude each other" in err, err
    rc, _, err = call("simulate", DIODE, "--inline", "iD", "--solver", "magic", *out)
    assert rc == 2 and "unknown solver magic" in err, err
    rc, _, err = call("simulate", DIODE, "--inline", "iD", "--inline-method", "magic", *out)
    assert rc == 2 and "--inline-method cannot be 'magic'" in err, err


def test_switch_against_a_source():
    write(
        "Short.mo",
        """model Short
  Real i, u, x(start = 0, fixed = true);
  Boolean open = x < 0.5;
equation
  der(x) = 1;
  u = 10;
  0 = if open then i else u;
end Short;
""",
    )
    rc, out, err = call("check", "Short.mo", "--log", "modes")
    assert rc == 0 and "With open = false, a source contradicts the switch" in out + err, err
    assert "each other position leaves solvable" in out + err, err
    rc, out, err = call("check", program.example("hybrid/Rectifier.mo"), "--log", "modes")
    assert rc == 0 and "source contradicts" not in out + err, out + err


def test_no_solution():
    model = os.path.join(TOP, "tests/models/bad/num_no_combination.mo")
    for how in (
        [],
        ["--mixed", "search"],
        ["--accumulation", "stop"],
        ["--chattering", "stop"],
        ["--solver", "radau"],
    ):
        rc, out, err = call("simulate", model, "--output", "c.csv", *how)
        assert rc == 3 and "note: relation: x > 0" in err and "$relation" not in err, err
        assert "neither value of this relation agrees with the equations" in err, err


def test_no_solution_at_the_start():
    """The switch is a Boolean that follows from relations through another one."""
    write(
        "Never.mo",
        """model Never
  Real x, t(start = 0, fixed = true);
  Boolean b, c;
equation
  der(t) = 1;
  c = x > 1;
  b = c or t > 5;
  x = if b then t - 2 else t + 1.5;
end Never;
""",
    )
    rc, out, err = call("simulate", "Never.mo", "--output", "c.csv")
    assert rc == 3 and "no consistent combination" in err and "relation: x > 1" in err, err
    assert "no combination of their values agrees with the equations" in err, err


def test_groups():
    rc, out, err = call("simulate", GROUPS, "--output", "c.csv", "--log", "stats")
    _, _, checked = call("check", GROUPS, "--model", "SeparateGroups.Mixture", "--log", "modes")
    assert "They form 9 uncoupled groups" in checked, checked
    groups = re.search(r"Groups of guards: (\d+) with (\d+) programs", err)
    assert groups and groups[1] == "9" and int(groups[2]) <= 18, err


def test_unknown_structure():
    rc, out, err = call("simulate", CLUTCH, "--structure", "magic", "--output", "c.csv")
    assert rc == 2 and "magic" in err, err


program.run_tests()
