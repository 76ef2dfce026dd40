"""Variable structure as a user sees it: what `check --log modes` tells, the mode in the event log, statistics, `--structure`."""
import json, os, re, subprocess, sys

KAIROS = sys.argv[1]
EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples")
MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../models/modes")


def run(*arguments):
    return subprocess.run([KAIROS, *arguments], capture_output=True, text=True)


def example(name):
    return os.path.join(EXAMPLES, name + ".mo")


def main():
    p = run("check", example("DiodeInductor"), "--log", "modes")
    assert p.returncode == 0 and "off = true" in p.stderr and "storage element of iD" in p.stderr, p.stderr
    p = run("check", example("ThyristorResistor"), "--log", "modes")
    assert p.returncode == 0 and "one plan serves all modes" in p.stderr, p.stderr
    p = run("check", os.path.join(MODELS, "modes_that_cannot_be.mo"), "--log", "modes")
    assert p.returncode == 0 and "0 structural guards" in p.stderr, p.stderr
    p = run("simulate", example("Clutch"), "--events", "-", "--log", "modes,stats", "--output", "c.csv")
    modes = [json.loads(line)["mode"] for line in p.stdout.splitlines() if "mode" in json.loads(line)]
    assert [m["guards"][0]["value"] for m in modes] == [True, False], modes
    assert len(modes[0]["states"]) == 1 and len(modes[1]["states"]) == 2, modes
    assert sorted(j["name"] for j in modes[0]["jumps"]) == ["w1", "w2"] and not modes[1]["jumps"], modes
    assert modes[0]["differentiated"] == ["w1 = w2"] or modes[0]["differentiated"] == ["w2 = w1"], modes
    assert "later ones" in p.stderr, p.stderr
    assert p.stderr.count("Solver auto begins") == 1, p.stderr  # though each mode has a solver of its own
    assert "Modes: 2 visited, 2 changes" in p.stderr and "jump: w1 from 11 to 3.66666667" in p.stderr, p.stderr
    p = run("simulate", example("Clutch"), "--structure", "single", "--output", "c.csv")
    assert p.returncode == 3 and "singular" in p.stderr, p.stderr
    p = run("simulate", example("Clutch"), "--structure", "inline", "--output", "c.csv", "--log", "stats")
    assert p.returncode == 0 and "inline-radau" in p.stderr, p.stderr
    p = run("simulate", example("DiodeInductor"), "--inline", "u*", "--output", "c.csv", "--log", "modes")
    assert p.returncode == 0 and "Inlined:" in p.stderr and "iD" in p.stderr.split("Inlined:")[1].splitlines()[0], p.stderr
    p = run("simulate", example("SixJoints"), "--structure", "mixed", "--output", "c.csv", "--log", "modes")
    assert p.returncode == 0 and "Inlined: w1 w2 w3 w4 w5 w6\n" in p.stderr, p.stderr
    p = run("simulate", example("DiodeInductor"), "--inline", "nothing", "--output", "c.csv")
    assert p.returncode == 2 and "no state has this name" in p.stderr and "a state is iD" in p.stderr, p.stderr
    p = run("simulate", os.path.join(MODELS, "separate_groups.mo"), "--output", "c.csv", "--log", "stats")
    checked = run("check", os.path.join(MODELS, "separate_groups.mo"), "--model", "SeparateGroups.Mixture", "--log", "modes")
    assert "They fall into 9 groups" in checked.stderr, checked.stderr
    groups = re.search(r"Groups of guards: (\d+) with (\d+) programs", p.stderr)
    assert groups and groups[1] == "9" and int(groups[2]) <= 18, p.stderr
    p = run("simulate", example("Clutch"), "--structure", "magic", "--output", "c.csv")
    assert p.returncode == 2 and "magic" in p.stderr, p.stderr


main()
