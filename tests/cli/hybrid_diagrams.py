"""Every model of Hybrid.Examples has a diagram, and every component in it a place and an icon. Each
line of a connection ends at its connectors. Every component model of Hybrid has an icon that shows
more than its name."""
import os, re, sys, xml.etree.ElementTree as ET

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import TOP, call, check

LIBRARY = os.path.join(TOP, "library/Hybrid")
S = "{http://www.w3.org/2000/svg}"


def classes(path, prefix):
    """(name, partial, text) of the models and blocks in a file of the library, by their
    indentation."""
    with open(path) as f:
        lines = f.read().splitlines()
    around = []
    for i, line in enumerate(lines):
        begin = re.match(r"( *)(partial )?(package|model|block) (\w+)", line)
        end = re.match(r"( *)end (\w+);", line)
        if begin and " extends " not in line:
            around.append((begin.group(4), begin.group(3), bool(begin.group(2)), i))
        elif end and around and end.group(2) == around[-1][0]:
            name, kind, partial, first = around.pop()
            if kind != "package":
                yield ".".join([prefix] + [a[0] for a in around] + [name]), partial, "\n".join(
                    lines[first:i]
                )


def draw(name, *more):
    rc, out, err = call("diagram", name, *more)
    check(name + " is drawn", rc == 0, err)
    return ET.fromstring(out)


def numbers(path):
    return [float(x) for x in re.findall(r"-?\d+\.?\d*|-?\.\d+", path.get("d"))]


def centre(group):
    v = numbers([p for p in group.findall(S + "path") if p.get("class") == "target"][0])
    return (min(v[::2]) + max(v[::2])) / 2, (min(v[1::2]) + max(v[1::2])) / 2


def places(svg):
    """The places of the connectors, by name."""
    found = {}
    for g in svg.iter(S + "g"):
        name = g.get("data-connector") or g.get("data-component")
        if name:
            found[name] = centre(g)
    return found


def check_lines(name, svg):
    at = places(svg)
    for g in svg.iter(S + "g"):
        if not g.get("data-connection"):
            continue
        ends = re.sub(r"\[[^]]*\]", "", g.get("data-connection")).split()
        v = numbers([p for p in g.findall(S + "path") if p.get("class") != "target"][0])
        for end, point in ((ends[0], v[:2]), (ends[1], v[-2:])):
            here = (
                end in at
                and abs(at[end][0] - point[0]) <= 1.01
                and abs(at[end][1] - point[1]) <= 1.01
            )
            check(
                "%s: the line of %s ends at %s" % (name, g.get("data-connection"), end),
                here,
                (at.get(end), point),
            )


def test_diagrams_of_examples():
    for name, partial, text in classes(os.path.join(LIBRARY, "Examples.mo"), ""):
        name = "Hybrid" + name
        if partial or "extends Icons.Example" not in text and "Machine" not in name:
            continue
        svg = draw(name)
        check(name + " shows something", list(svg.iter(S + "path")))
        check_lines(name, svg)
        body = re.sub(r"\n( +)model .*?\n\1end \w+;", "", text, flags=re.S)
        joined = len(re.findall(r"\bconnect\(", body))
        lines = len([g for g in svg.iter(S + "g") if g.get("data-connection")])
        check(name + " has a line for each connection", joined == lines, (joined, lines))
        shown = {g.get("data-component") for g in svg.iter(S + "g") if g.get("data-component")}
        used = set(re.findall(r"\bconnect\((\w+)[.\[]", body))
        check(name + " shows its components", used <= shown, used - shown)


def test_icons():
    for file in ("Electrical", "Mechanics", "Blocks", "BondGraph", "HDS"):
        for name, partial, text in classes(os.path.join(LIBRARY, file + ".mo"), ""):
            if partial or ".Functions." in name:
                continue
            svg = draw("Hybrid" + name, "--icon")
            drawn = [
                e
                for e in svg.find(S + "g")
                if e.tag in (S + "path", S + "text") and (e.text or "") != "%name"
            ]
            check("Hybrid%s has an icon" % name, drawn)


program.run_tests()
