"""kairos plot -o FILE.html: the data of the page, its behaviour in a browser; units beside a CSV
file."""
import json, os, re, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import call, check
import browser


def data(path):
    with open(path) as f:
        text = f.read()
    return [
        json.loads(x)
        for x in re.findall(
            r'<figure class="plot"><script type="application/json">(.*?)</script>', text, re.S
        )
    ]


def ball():
    """Simulates a ball and draws b.html."""
    with open("Ball.mo", "w") as f:
        f.write(
            """model Ball
  Real h(start = 1, fixed = true, unit = "m") "height </script>";
  Real v(start = 0, fixed = true, unit = "m/s");
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then reinit(v, -0.7*pre(v)); end when;
end Ball;
"""
        )
    rc, _, err = call("simulate", "Ball.mo", "--output", "b.csv")
    check("simulated", rc == 0, err)
    rc, _, err = call("plot", "b.csv", "h", "v", "-o", "b.html")
    check("drawn", rc == 0, err)


def test_units_reach_plots_of_csv_files():
    ball()
    with open("b.csv-metadata.json") as f:
        meta = json.load(f)
    columns = meta["tableSchema"]["columns"]
    with open("b.csv") as f:
        header = f.readline().strip().split(",")
    check(
        "metadata name the columns in order",
        [c["titles"] for c in columns] == header
        and meta["url"] == "b.csv"
        and meta["dc:title"] == "Ball",
        meta,
    )
    check("units", {c["titles"]: c.get("unit") for c in columns}["v"] == "m/s")
    page = data("b.html")[0]
    labels = [c["label"] for p in page["panes"] for c in p["curves"]]
    check(
        "units and title of the model in the page",
        labels == ["h [m]", "v [m/s]"] and page["title"] == "Ball" and page["xTitle"] == "time [s]",
        labels,
    )
    call("plot", "b.csv", "h", "--title", "mine", "-o", "b.svg")
    check(
        "a title that is given",
        data("b.html")
        and call("plot", "b.csv", "h", "--title", "mine", "-o", "t.html")[0] == 0
        and data("t.html")[0]["title"] == "mine",
    )
    fall = (2 / 9.81) ** 0.5
    check(
        "events", len(page["events"]) >= 1 and abs(page["events"][0] - fall) < 1e-6, page["events"]
    )
    check("nothing from elsewhere", not browser.outside("b.html"), browser.outside("b.html"))


def test_metadata_without_meaning():
    ball()
    for text in (
        "nonsense",
        "{}",
        '{"tableSchema": 3}',
        '{"tableSchema": {"columns": [1, {"titles": 2}]}}',
        "",
    ):
        with open("b.csv-metadata.json", "w") as f:
            f.write(text)
        check(
            "metadata that mean nothing do no harm",
            call("plot", "b.csv", "h", "-o", "b2.html")[0] == 0
            and data("b2.html")[0]["panes"][0]["curves"][0]["label"] == "h",
        )


def test_runs_of_a_sweep_have_no_metadata():
    ball()
    rc, _, err = call("simulate", "Ball.mo", "--sweep", "h.start=1,2", "--output", "s.csv")
    check(
        "runs of a sweep have none",
        rc == 0 and not [f for f in os.listdir(".") if f.startswith("s") and f.endswith("json")],
        err,
    )


def test_many_rows_keep_peaks_and_jumps():
    N = 200000
    with open("big.csv", "w") as f:
        f.write("time,y\n")
        for i in range(N):
            t = i / N
            f.write(
                "%r,%r\n"
                % (
                    t,
                    (
                        7.5
                        if i == 123457
                        else -3.25
                        if i == 123499
                        else (t > 0.7) * 2.0 + 0.001 * (i % 7)
                    ),
                )
            )
            if i == 140000:
                f.write("%r,%r\n" % (t, 2.125))
    rc, _, err = call("plot", "big.csv", "y", "-o", "big.html")
    c = data("big.html")[0]["panes"][0]["curves"][0]
    check("reduced", 5000 < len(c["y"]) <= 20000, len(c["y"]))
    check(
        "peaks and the jump stay",
        7.5 in c["y"]
        and -3.25 in c["y"]
        and 2.125 in c["y"]
        and max(c["y"]) == 7.5
        and min(c["y"]) == -3.25,
    )
    check(
        "first and last row stay, in order",
        c["t"][0] == 0 and abs(c["t"][-1] - (N - 1) / N) < 1e-9 and c["t"] == sorted(c["t"]),
    )


def test_phase_plane():
    ball()
    call("plot", "b.csv", "--x", "h", "v", "-o", "phase.html")
    phase = data("phase.html")[0]
    check(
        "phase plane",
        phase["x"] == "h"
        and len(phase["panes"][0]["curves"][0]["x"]) == len(phase["panes"][0]["curves"][0]["y"]),
    )


def test_colours_by_mode_and_gaps():
    with open("q.csv", "w") as f:
        f.write("time,y,q\n0,0,1\n1,1,1\n1,1,2\n2,nan,2\n")
    call("plot", "q.csv", "y", "--colour", "q", "-o", "q.html")
    modes = data("q.html")[0]
    check(
        "coloured by a mode; gaps",
        modes["modes"] == ["q = 1", "q = 2"]
        and modes["panes"][0]["curves"][0]["by"] == [0, 0, 1, 1]
        and modes["panes"][0]["curves"][0]["y"][-1] is None,
    )
    rc, _, err = call("plot", "q.csv", "y", "-o", "no/such/folder.html")
    check("a place that cannot be written", rc == 2 and "folder.html" in err, err)


def test_in_a_browser():
    ball()
    if browser.CHROMIUM:
        found = browser.look(
            "b.html",
            """
      const figure = document.querySelector('figure.plot'), plot = figure.plot, [a, b] = figure.querySelectorAll('canvas'), r = a.getBoundingClientRect();
      const fire = (type, Kind, more) => a.dispatchEvent(new Kind(type, {bubbles: true, cancelable: true, ...more}));
      const key = (k) => fire('keydown', KeyboardEvent, {key: k});
      const keys = figure.querySelectorAll('.legend button');
      const out = {panes: figure.querySelectorAll('canvas').length, full: [plot.x.lo, plot.x.hi], keys: [...keys].map((k) => k.textContent)};
      const at = (share) => r.left + 66 + (r.width - 84) * share;
      fire('pointermove', PointerEvent, {clientX: at(0.25), clientY: r.top + 50});
      out.at = figure.querySelector('.at').textContent;
      out.values = [...figure.querySelectorAll('.value')].map((v) => v.textContent);
      fire('wheel', WheelEvent, {clientX: at(0.5), clientY: r.top + 50, deltaY: -100});
      out.zoomed = [plot.x.lo, plot.x.hi];
      key('0');
      out.reset = [plot.x.lo, plot.x.hi];
      a.setPointerCapture = () => {};
      fire('pointerdown', PointerEvent, {clientX: at(0.2), clientY: r.top + 50, button: 0});
      fire('pointermove', PointerEvent, {clientX: at(0.6), clientY: r.top + 55});
      fire('pointerup', PointerEvent, {clientX: at(0.6), clientY: r.top + 55});
      out.box = [plot.x.lo, plot.x.hi];
      fire('dblclick', MouseEvent, {});
      keys[0].click();
      out.hidden = [keys[0].ariaPressed, plot.panes[0].curves[0].shown, keys[1].ariaPressed];
      return out;
    """,
        )
        check("the page works", found is not None)
        if found:
            check(
                "panes and legend",
                found["panes"] == 2
                and found["full"] == [0, 1]
                and found["keys"] == ["h [m]", "v [m/s]"],
                found,
            )
            check(
                "cursor with values",
                abs(float(found["at"].split("= ")[1]) - 0.25) < 2e-3
                and abs(float(found["values"][1].split("= ")[1]) + 9.81 * 0.25) < 0.05,
                found,
            )
            check(
                "the wheel zooms in round the pointer",
                0.1 < found["zoomed"][0] < 0.3 and abs(sum(found["zoomed"]) - 1) < 1e-2,
                found["zoomed"],
            )
            check("0 shows all again", found["reset"] == [0, 1])
            check(
                "a drag zooms to its range",
                abs(found["box"][0] - 0.2) < 2e-3 and abs(found["box"][1] - 0.6) < 2e-3,
                found["box"],
            )
            check(
                "the legend hides a curve",
                found["hidden"] == ["false", False, "true"],
                found["hidden"],
            )


program.run_tests()
