"""kairos report: the sections of the page, links, failed runs; the progress of long runs."""
import os, pty, re, subprocess, sys, time
from html.parser import HTMLParser

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import KAIROS, call, check
import browser


class Page(HTMLParser):
    VOID = {"meta", "br", "img", "link", "circle", "rect", "line", "path", "image", "stop"}

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.open, self.words, self.bad, self.headings = (
            set(),
            [],
            [],
            [],
            [],
            [],
        )
        with open(path) as f:
            self.text = f.read()
        self.feed(self.text)
        self.words = "".join(self.words)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if "id" in attrs:
            if attrs["id"] in self.ids:
                self.bad.append("twice: " + attrs["id"])
            self.ids.add(attrs["id"])
        if tag == "a":
            self.links.append(attrs["href"])
        if tag == "h2":
            self.headings.append(attrs.get("id"))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.bad.append("closes " + tag)

    def handle_data(self, data):
        if not self.open or self.open[-1] not in ("script", "style"):
            self.words.append(data)


def page_of(*arguments, status=0):
    rc, _, err = call("report", *arguments, "-o", "r.html")
    check("report of %s" % (arguments,), rc == status, (rc, err))
    p = Page("r.html")
    check("well formed", not p.bad and not p.open, (p.bad, p.open))
    dead = [l for l in p.links if not l.startswith("#") or l[1:] not in p.ids]
    check("links lead somewhere", not dead, dead[:5])
    check("nothing from elsewhere", not browser.outside("r.html"), browser.outside("r.html"))
    check(
        "no files are left",
        not [
            f
            for f in os.listdir(".")
            if f.endswith(".mat") or "XXXX" in f or f.endswith("metadata.json")
        ],
        os.listdir("."),
    )
    return p


def ball():
    with open("Ball.mo", "w") as f:
        f.write(
            """model Ball "A ball <b> that bounces & rests"
  parameter Real e(unit = "1") = 0.7 "restitution";
  Real h(start = 1, fixed = true, unit = "m") "height";
  Real v(start = 0, fixed = true, unit = "m/s");
  Boolean up(start = false, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -e*pre(v));
  end when;
  up = v > 0;
  annotation(Diagram(graphics = {Ellipse(extent = {{-10, -10}, {10, 10}})}), experiment(StopTime = 2));
end Ball;
"""
        )


def test_analyses():
    """Each analysis is a section on request; one that fails says so."""
    ball()
    with open("data.csv", "w") as f:
        f.write("time,h\n")
        for k in range(40):
            t = 0.01 * k
            f.write("%g,%.6f\n" % (t, 1 - 9.81 / 2 * t * t + (-1) ** k * 1e-3))
    p = page_of(
        *"Ball.mo --linearize initial --linearize 0.3 --of h --to e,h.start".split(),
        *"--data data.csv --parameters h.start --minimize end(v)^2 --over e=0.5:0.8".split(),
    )
    for section in ("linearize", "sensitivities", "fit", "optimize"):
        check(section, section in p.headings and "#" + section in p.links, p.headings)
    check("poles", "Poles" in p.words and "damping" in p.words)
    check("scalars", "end(h)" in p.words and "derivative of h with respect to e" in p.words)
    check("fit", "Correlations" not in p.words and "data.csv" in p.words)
    with open("Sine.mo", "w") as f:
        f.write(
            "model Sine\n  Real x(start = 0, fixed = true);\nequation\n"
            "  der(x) = -x + sin(2*time) + 0.3*sin(6*time);\n"
            "  annotation(experiment(StopTime = 20));\nend Sine;\n"
        )
    p = page_of(*"Sine.mo --steady --linearize end --spectrum x --period 3.141592653589793".split())
    check("steady", "stable periodic motion" in p.words and "Floquet" in p.words)
    check("fundamental", "fundamental 0.318309" in p.words)
    rc, _, err = call("report", "Ball.mo", "--of", "hh", "--to", "e", "-o", "r.html")
    check("a name that does not exist", rc == 2 and "hh" in err and os.path.exists("r.html"), err)
    check("the section says so", "There is no result" in Page("r.html").words)
    rc, _, err = call("report", "Ball.mo", "--of", "h")
    check("half a choice", rc == 2 and "--to" in err, err)


def test_page():
    ball()
    p = page_of("Ball.mo")
    check(
        "sections",
        p.headings == ["diagram", "plots", "events", "values", "statistics", "profile",
                       "equations", "source"],
        p.headings,
    )
    check("description", "A ball <b> that bounces & rests" in p.words)
    check("plot", '"label":"h [m]"' in p.text and '"marks":true' in p.text)
    check("diagram", 'class="diagram"' in p.text and "<svg" in p.text)
    fall = (2 / 9.81) ** 0.5
    check(
        "times of events",
        any(abs(float(x) - fall) < 1e-5 for x in re.findall(r"0\.45\d+", p.words)),
        fall,
    )
    check("a jump of the state", re.search(r"v: -4\.4294\d* → 3\.1006", p.words))
    check("the relation leads to its line", "#f1-L9" in p.links, p.links)
    check("initial values", re.search(r"h\s*1\s*0\.0424\d*\s*m\s*height", p.words), p.words[:0])
    check("parameters", re.search(r"e\s*0\.7\s*1\s*restitution", p.words))
    check("statistics", "state events" in p.words and "compiled in" in p.words)
    check(
        "equations with their unknowns",
        re.search(r"der\(v\) = -9\.81gives der\(v\)Ball\.mo:8", p.words),
        re.findall(r"der\(v\).*", p.words),
    )
    check("source", "reinit(v, -e*pre(v));" in p.words and "f1-L14" in p.ids)
    check(
        "changes of discrete variables over time",
        re.search(r"up = true from 0\.45152\d* to", p.words),
    )


def test_modes():
    p = page_of("Hybrid.Examples.Circuits.DiodeInductor")
    check(
        "modes over time", re.search(r"mode: diode\.off = true from 0\.0101\d* to 0\.0428", p.words)
    )
    check("a system of equations", "mixed linear system of" in p.words)


def test_failed_run():
    with open("Bad.mo", "w") as f:
        f.write(
            'model Bad Real x(start = 1, fixed = true); equation der(x) = -1; assert(x > 0.5, "too'
            ' small"); end Bad;\n'
        )
    p = page_of("Bad.mo", status=3)
    check("the failure is told", "too small" in p.words and "plots" in p.headings)


def test_rejected_and_defaults():
    ball()
    for bad, status in (
        (["report", "Bad2.mo"], 2),
        (["report", "Ball.mo", "-o", "no/such/r.html"], 2),
        (["report", "Ball.mo", "--solver", "none"], 2),
        (["report"], 2),
    ):
        rc, _, err = call(*bad)
        check("rejected: " + " ".join(bad), rc == status and err, (rc, err))
    check("no page where the call was wrong", not os.path.exists("Ball.html"))
    rc, _, err = call("report", "Ball.mo")
    check(
        "the name of the model is the default",
        rc == 0 and os.path.exists("Ball.html") and "Ball: Ball.html" in err,
        err,
    )


def test_in_a_browser():
    ball()
    if browser.CHROMIUM:
        call("report", "Ball.mo")
        found = browser.look(
            "Ball.html",
            """
      const fold = [...document.querySelectorAll('#source ~ details')][0];
      fold.open = false;
      const link = document.querySelector('a[href="#f1-L9"]');
      location.hash = link.getAttribute('href');
      window.dispatchEvent(new HashChangeEvent('hashchange'));
      return {plots: document.querySelectorAll('figure.plot canvas').length, open: fold.open, line: document.querySelector(':target')?.textContent};
    """,
        )
        check(
            "a link unfolds the source",
            found
            and found["plots"] >= 2
            and found["open"]
            and "when h <= 0" in (found["line"] or ""),
            found,
        )


def test_progress():
    with open("Slow.mo", "w") as f:
        f.write(
            """model Slow
  Real x[40](each start = 1, each fixed = true);
  discrete Real n(start = 0, fixed = true);
equation
  for i in 1:40 loop
    der(x[i]) = -x[i]*sin(i*time) + cos(1000*time);
  end for;
  when sample(0, 0.5) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 40, Tolerance = 1e-10));
end Slow;
"""
        )
    master, slave = pty.openpty()
    p = subprocess.Popen(
        [KAIROS, "simulate", "Slow.mo", "--output", "slow.csv"],
        stdout=subprocess.DEVNULL,
        stderr=slave,
        stdin=subprocess.DEVNULL,
    )
    os.close(slave)
    out, begin, bar = b"", time.time(), None
    while time.time() - begin < 60:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        out += part
        if bar:
            continue  # a second signal would end the program at once, and leave its files
        bar = re.search(
            (
                rb"\] +(\d+) %  time ([\d.e+-]+) of 40, ([\d.e+-]+)/s, (.*?) left, (\d+) steps,"
                rb" (\d+) events"
            ),
            out,
        )
        if bar:
            p.send_signal(2)
    p.wait()
    check("a bar with time, rate, rest and events", bar or p.returncode == 0, out[-300:])
    if bar:
        done, now, rate, events = (
            float(bar.group(1)),
            float(bar.group(2)),
            float(bar.group(3)),
            int(bar.group(6)),
        )
        check(
            "its figures agree",
            abs(done - 100 * now / 40) < 1 and rate > 0 and abs(events - 2 * now) < 3,
            bar.group(0),
        )


def test_no_progress_without_terminal():
    ball()
    for quiet in ([], ["--quiet"]):
        rc, _, err = call("simulate", "Ball.mo", *quiet, "--output", "b.csv")
        check("no bar where there is no terminal", "%" not in err, err)


program.run_tests()
