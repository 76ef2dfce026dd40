"""kairos plot: formats, phase planes, colours by mode, several results, the drawing in a
terminal."""
import math, os, pty, re, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import KAIROS, call, check


def begins(path, head):
    return os.path.exists(path) and open(path, "rb").read(len(head)) == head


def circle():
    """c.csv: a circle, walked once; q is 1 in the upper half and 2 in the lower."""
    with open("c.csv", "w") as f:
        f.write("time,x,y,q,der(x)\n")
        for i in range(201):
            t = i / 200
            f.write(
                "%r,%r,%r,%d,0\n"
                % (t, math.cos(2 * math.pi * t), math.sin(2 * math.pi * t), 1 if t < 0.5 else 2)
            )


def test_formats_and_colours():
    circle()
    for ending, head in (("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        rc, _, err = call("plot", "c.csv", "--x", "x", "y", "--colour", "q", "-o", "p." + ending)
        check(ending, rc == 0 and begins("p." + ending, head), err)
    svg = open("p.svg").read()
    rc, _, err = call("plot", "c.csv", "--x", "x", "y", "-o", "plain.svg")
    colours = lambda text: set(re.findall(r"stroke:rgb\(([^)]*)\)", text)) | set(
        re.findall(r'stroke="rgb\(([^)]*)\)"', text)
    )
    check(
        "two modes have two colours",
        len(colours(svg)) == len(colours(open("plain.svg").read())) + 1,
        colours(svg),
    )


def test_equal_states_are_drawn_once():
    with open("e.csv", "w") as f:
        f.write("time,a.w,b.w,c.w,der(a.w),der(b.w),der(c.w)\n")
        f.write("".join("%d,%d,%d,%d,1,1,2\n" % (i, i, i, 2 * i) for i in range(5)))
    for names, expected in ([], {"a.w", "c.w"}), (["a.w", "b.w"], {"a.w", "b.w"}):
        call("plot", "e.csv", *names, "-o", "e.html")
        text = open("e.html").read()
        drawn = {name for name in ("a.w", "b.w", "c.w") if '"%s"' % name in text}
        check("drawn of %s" % (names or "all"), drawn == expected, drawn)


def test_several_results():
    circle()
    call("plot", "c.csv", "c.csv", "x", "-o", "two.svg")
    check("several results", os.path.exists("two.svg"))


def test_largest_numbers():
    """Curves and ticks are there, though the distance of the values is infinite."""
    with open("large.csv", "w") as f:
        f.write("time,y,z\n0,-1.7e308,1e-300\n1,1e308,1\n2,1.7e308,1e200\n")
    for name, *more in ["y"], ["z", "--log-y"]:
        rc, _, err = call("plot", "large.csv", name, "-o", "large.svg", *more)
        svg = open("large.svg").read() if rc == 0 else ""
        paths = re.findall(r'stroke:rgb[^>]*d="M ([^"]*)"', svg)
        bent = [p for p in paths if len(re.findall("L", p)) == 2]
        check("a line of three points " + name, len(bent) == 1, paths)
        labels = len(re.findall("<use ", svg))
        check("ticks on both axes " + name, labels > 40, labels)


def test_rejected():
    circle()
    for bad in (
        ["plot", "c.csv", "--x", "xx", "y"],
        ["plot", "c.csv", "--colour", "mode", "y"],
        ["plot", "c.csv", "y", "--x-range", "1"],
        ["plot", "c.csv", "y", "--y-range", "2:1"],
        ["plot", "c.csv", "y", "-o", "p.gif"],
        ["plot", "y"],
    ):
        rc, _, err = call(*bad)
        check("rejected: " + " ".join(bad), rc == 2 and err, err)


def test_logarithmic_axis():
    circle()
    rc, _, err = call("plot", "c.csv", "--log-y", "y", "-o", "log.svg")
    check("logarithmic axis with values below zero", rc == 0, err)


def test_terminal():
    """The highest dot of a parabola stands in the middle."""
    with open("p.csv", "w") as f:
        f.write(
            "time,y\n" + "".join("%r,%r\n" % (i / 100, i / 100 * (1 - i / 100)) for i in range(101))
        )
    master, slave = pty.openpty()
    p = subprocess.Popen(
        [KAIROS, "plot", "p.csv", "y"],
        stdout=slave,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        env=dict(os.environ, NO_COLOR="1"),
    )
    os.close(slave)
    out = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        out += part
    p.wait()
    lines = [l.split("┤", 1)[1] for l in out.decode().splitlines() if "┤" in l]
    drawn = [l for l in lines if l.strip()]
    check("a drawing", len(drawn) > 5, out.decode())
    if drawn:
        peak, width = drawn[0], len(lines[0])
        at = [i for i, c in enumerate(peak) if c != " "]
        check("its peak", abs(sum(at) / len(at) - width / 2) < 4, out.decode())


program.run_tests()
