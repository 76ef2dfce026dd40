"""Rows of a result: at output points, at steps of the solver, inside steps; rows left out."""
import csv, math, os, re, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import call, check, write

# A square wave of period T is integrated twice. i is a triangle between -T/4 and T/4. v is zero at
# each switching, and between two of them a parabola of height (T/4)**2/2.
RIPPLE = """model Ripple
  constant Real T = 0.01;
  discrete Integer up(start = -1, fixed = true);
  Real i(start = T/4, fixed = true), v(start = 0, fixed = true);
equation
  when sample(T/2, T/2) then
    up = -pre(up);
  end when;
  der(i) = up;
  der(v) = i;
end Ripple;
"""
HEIGHT = (0.01 / 4) ** 2 / 2


def rows(file):
    with open(file, newline="", encoding="utf-8") as f:
        return [{k: float(x) for k, x in row.items()} for row in csv.DictReader(f)]


def simulate(*options, file="r.csv", model="Ripple.mo"):
    rc, out, err = call("simulate", model, "--output", file, *options)
    check("runs", rc == 0, err)
    return rows(file), err


def test_grid_hides_the_motion_between_events():
    write("Ripple.mo", RIPPLE)
    grid, err = simulate("--intervals", "20")
    check("the grid shows no ripple", max(abs(r["v"]) for r in grid) < 1e-9)
    check("a warning says so", "R026" in err and "--output-points steps" in err, err)
    _, err = simulate("--intervals", "20", "--output-points", "grid")
    check("silenced", "R026" not in err, err)
    _, err = simulate("--intervals", "2000")
    check("no warning for a fine grid", "R026" not in err, err)


def test_dense_shows_the_motion_between_events():
    write("Ripple.mo", RIPPLE)
    dense, err = simulate("--intervals", "20", "--output-points", "dense")
    most, least = max(r["v"] for r in dense), min(r["v"] for r in dense)
    check("highest", abs(most - HEIGHT) < 0.01 * HEIGHT, most)
    check("lowest", abs(least + HEIGHT) < 0.01 * HEIGHT, least)
    check("no warning", "R026" not in err, err)


def test_auto_is_dense_but_limited():
    write("Ripple.mo", RIPPLE)
    auto, _ = simulate("--intervals", "20", "--output-points", "auto")
    check("highest", abs(max(r["v"] for r in auto) - HEIGHT) < 0.05 * HEIGHT)
    text = "model Fast\n  Real x(start = 1), y(start = 0);\nequation\n"
    write("Fast.mo", text + "  der(x) = 1000*y;\n  der(y) = -1000*x;\nend Fast;\n")
    auto, _ = simulate("--intervals", "10", "--output-points", "auto", model="Fast.mo")
    check("limited", 11 < len(auto) <= 211, len(auto))


def test_steps_have_a_row_each():
    name = program.example("VanDerPol.mo")
    with_steps, err = simulate("--output-points", "steps", "--intervals", "1", "--log", "stats",
                               model=name)
    steps = int(re.search(r"([\d,]+) steps", err).group(1).replace(",", ""))
    check("a row for each step", steps <= len(with_steps) <= steps + 3, (steps, len(with_steps)))
    times = [r["time"] for r in with_steps]
    check("time rises", all(a < b for a, b in zip(times, times[1:])))


def test_points_do_not_change_the_motion():
    name = program.example("BuckConverter.mo")
    grid, _ = simulate(model=name, file="a.csv")
    dense, _ = simulate("--output-points", "dense", model=name, file="b.csv")
    known = {(r["time"], r["iL"]) for r in dense}
    check("the rows of the grid are there", all((r["time"], r["iL"]) in known for r in grid))
    check("and others", len(dense) > len(grid))


def between(table, t, name):
    """The value on the straight line between the rows around t, which is no event."""
    for a, b in zip(table, table[1:]):
        if a["time"] <= t <= b["time"] and a["time"] < b["time"]:
            share = (t - a["time"]) / (b["time"] - a["time"])
            return a[name] + share * (b[name] - a[name])
    return math.nan


def test_rows_that_lines_replace_are_left_out():
    name = program.example("BuckConverter.mo")
    everything, _ = simulate("--intervals", "5000", model=name, file="a.csv")
    few, _ = simulate("--intervals", "5000", "--result-tolerance", "1e-3", model=name, file="b.csv")
    check("fewer rows", len(few) < len(everything) / 3, (len(few), len(everything)))
    check("same ends", few[0] == everything[0] and few[-1] == everything[-1])
    events = [r for a, r in zip(everything, everything[1:]) if a["time"] == r["time"]]
    check("events stay", all(r in few for r in events))
    for column in "iL", "vC":
        span = max(r[column] for r in everything) - min(r[column] for r in everything)
        inside = [r for r in everything[1:-1:7] if r not in events]
        worst = max(abs(between(few, r["time"], column) - r[column]) for r in inside)
        check(column + " is within the tolerance", worst <= 1.001e-3 * span, worst / span)


def test_left_out_rows_of_mat():
    name = program.example("BouncingBall.mo")
    rc, _, err = call("simulate", name, "--output", "a.mat", "--result-tolerance", "1e-2")
    check("runs", rc == 0, err)
    rc, _, err = call("simulate", name, "--output", "a.csv")
    rc, out, err = call("compare", "a.mat", "a.csv", "--tolerance", "0.011")
    check("agrees", rc == 0, out + err)


def test_bad_choice():
    rc, _, err = call("simulate", program.example("RLC.mo"), "--output-points", "all")
    check("status", rc == 2, rc)
    check("names the option", "use grid, steps, dense or auto" in err, err)


program.run_tests()
