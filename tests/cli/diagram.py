"""kairos diagram: geometry against hand-computed transformations, styles, text, macros,
conditions, images, bad input."""
import base64, math, os, random, re, struct, sys, xml.etree.ElementTree as ET, zlib

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import call, check, write

S = "{http://www.w3.org/2000/svg}"


def draw(text, *more):
    write("M.mo", text)
    rc, out, err = call("diagram", "M.mo", *more)
    check("drawn", rc == 0 and not err, err)
    return ET.fromstring(out)


def numbers(path):
    return [float(x) for x in re.findall(r"-?\d+\.?\d*|-?\.\d+", path.get("d"))]


def paths(group):
    """The paths of a group that are seen, its connectors left out."""
    return [p for p in group.findall(S + "path") if p.get("class") != "target"]


def group(svg, name, attribute="data-component"):
    found = [g for g in svg.iter(S + "g") if g.get(attribute) == name]
    check("group " + name, len(found) == 1, found)
    return found[0]


def near(a, b, eps=2e-3):
    return len(a) == len(b) and all(abs(x - y) <= eps for x, y in zip(a, b))


def same_box(path, x0, y0, x1, y1):
    v = numbers(path)
    return near([min(v[::2]), min(v[1::2]), max(v[::2]), max(v[1::2])], [x0, y0, x1, y1])


PART = """
model Part
  parameter Real R(unit = "Ohm") = 47;
  parameter Boolean heat = false;
  annotation(Icon(coordinateSystem(extent = {{-100, -100}, {100, 100}}), graphics = {
    Line(points = {{-100, 0}, {50, 50}}, color = {255, 0, 0}, thickness = 0.5),
    Text(extent = {{-150, 120}, {150, 60}}, textString = "%name R=%R %class 5%%"),
    Ellipse(extent = {{-10, -10}, {10, 10}}, visible = heat)}));
end Part;
"""


def test_placement():
    """y points down on the page."""
    svg = draw(
        PART
        + """
model M
  Part a "the first" annotation(Placement(transformation(extent = {{10, 20}, {30, 40}})));
  Part b(R = 10) annotation(Placement(transformation(extent = {{30, -20}, {10, -40}})));
  Part c annotation(Placement(transformation(origin = {50, 60}, extent = {{-10, -10}, {10, 10}}, rotation = 90)));
  Part d[3](R = {1, 2, 3}) annotation(Placement(transformation(extent = {{-60, -5}, {-40, 5}}, rotation = 30, origin = {7, 8})));
  Part hidden annotation(Placement(visible = false, transformation(extent = {{0, 0}, {1, 1}})));
  Part nowhere;
end M;
"""
    )
    # a: x' = 20 + x/10, y' = 30 + y/10
    check("moved and scaled", near(numbers(paths(group(svg, "a"))[0]), [10, -30, 25, -35]))
    # b: both directions flipped: x' = 20 - x/10, y' = -30 - y/10
    check("flipped", near(numbers(paths(group(svg, "b"))[0]), [30, 30, 15, 35]))
    # c: (x, y)/10 turned by 90 degrees is (-y, x)/10, moved by (50, 60)
    check("turned", near(numbers(paths(group(svg, "c"))[0]), [50, -50, 45, -65]))
    # d: x' = -50 + x/10, y' = y/20, then by 30 degrees about the origin, then moved
    turn = lambda x, y: (
        7 + x * math.cos(math.pi / 6) - y * math.sin(math.pi / 6),
        -(8 + x * math.sin(math.pi / 6) + y * math.cos(math.pi / 6)),
    )
    check(
        "turned about the origin",
        near(numbers(paths(group(svg, "d"))[0]), [*turn(-60, 0), *turn(-45, 2.5)]),
    )
    names = [g.get("data-component") for g in svg.iter(S + "g") if g.get("data-component")]
    check("what is not placed or not visible is not drawn", names == ["a", "b", "c", "d"], names)
    a = group(svg, "a")
    check(
        "attributes",
        a.get("data-class") == "Part"
        and a.get("data-line") == "12"
        and a.get("data-path") == "M.mo",
        a.attrib,
    )
    check("title", a.find(S + "title").text == "Part a: the first", a.find(S + "title").text)
    stroke = paths(a)[0]
    check(
        "colour and width",
        stroke.get("stroke") == "#ff0000" and stroke.get("stroke-width") == "0.5",
        stroke.attrib,
    )
    check("a visible of false hides", len(paths(a)) == 1)
    words = {n: group(svg, n).find(S + "text") for n in names}
    check(
        "macros",
        words["a"].text == "a R=47 Ohm Part 5%" and words["b"].text == "b R=10 Ohm Part 5%",
        [w.text for w in words.values()],
    )
    check(
        "an array has its size and values",
        words["d"].text == "d[3] R={1, 2, 3} Ohm Part 5%",
        words["d"].text,
    )
    check(
        "text of flipped components is not mirrored",
        not words["b"].get("transform"),
        words["b"].attrib,
    )
    check(
        "text of turned components is turned",
        words["c"].get("transform").startswith("rotate(-90"),
        words["c"].attrib,
    )
    # the box of 300 x 60 in a tenth of its size: too wide a text fills its width
    check(
        "text fits its box",
        words["a"].get("textLength") == "30"
        and float(words["a"].get("font-size")) < 6 / 1.18 + 1e-3,
        words["a"].attrib,
    )


def test_layers_of_base_classes():
    svg = draw(
        """
partial model Lowest annotation(Icon(coordinateSystem(extent = {{0, 0}, {200, 200}}), graphics = {Line(points = {{0, 0}, {1, 1}})})); end Lowest;
partial model Middle extends Lowest; annotation(Icon(graphics = {Line(points = {{0, 0}, {2, 2}})})); end Middle;
partial model Other annotation(Icon(graphics = {Line(points = {{0, 0}, {9, 9}})})); end Other;
model Part
  extends Middle;
  extends Other annotation(IconMap(primitivesVisible = false));
  annotation(Icon(graphics = {Line(points = {{0, 0}, {3, 3}})}));
end Part;
model M
  Part p annotation(Placement(transformation(extent = {{0, 0}, {20, 20}})));
end M;
"""
    )
    got = [numbers(p) for p in paths(group(svg, "p"))]
    check(
        "bases first, their coordinate system, IconMap",
        all(
            near(g, w)
            for g, w in zip(got, [[0, 0, 0.1, -0.1], [0, 0, 0.2, -0.2], [0, 0, 0.3, -0.3]])
        )
        and len(got) == 3,
        got,
    )


def test_initial_scale():
    svg = draw(
        """
model Part annotation(Icon(coordinateSystem(extent = {{-100, -100}, {100, 100}}, initialScale = 0.2), graphics = {Rectangle(extent = {{-100, -100}, {100, 100}})})); end Part;
model M Part p annotation(Placement(transformation(origin = {5, 6}))); end M;
"""
    )
    check(
        "a component without an extent has its initial scale",
        same_box(paths(group(svg, "p"))[0], -15, -26, 25, 14),
    )


def test_connectors_and_connections():
    svg = draw(
        """
connector Pin Real v; flow Real i;
  annotation(Icon(graphics = {Rectangle(extent = {{-100, 100}, {100, -100}}, fillColor = {0, 0, 255}, fillPattern = FillPattern.Solid)}),
             Diagram(graphics = {Rectangle(extent = {{-50, 50}, {50, -50}}), Text(extent = {{-100, 150}, {100, 110}}, textString = "%name")}));
end Pin;
model Two
  parameter Boolean heat = false;
  Pin p annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Pin n annotation(Placement(transformation(extent = {{0, 0}, {1, 1}}), iconTransformation(extent = {{110, 10}, {90, -10}})));
  Pin h if heat annotation(Placement(transformation(extent = {{-10, -110}, {10, -90}})));
equation
  p.i + n.i = 0; p.v - n.v = p.i;
  annotation(Icon(graphics = {Rectangle(extent = {{-100, 30}, {100, -30}}, radius = 10)}));
end Two;
model M
  parameter Boolean more = false;
  Two a annotation(Placement(transformation(extent = {{-50, -10}, {-30, 10}})));
  Two b(heat = true) annotation(Placement(transformation(extent = {{30, -10}, {50, 10}})));
  Two c if more annotation(Placement(transformation(extent = {{0, 40}, {20, 60}})));
  Pin outside annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
equation
  connect(a.n, b.p) annotation(Line(points = {{-30, 0}, {30, 0}}, color = {0, 0, 255}, pattern = LinePattern.Dash));
  connect(c.p, b.p) annotation(Line(points = {{0, 50}, {30, 0}}, smooth = Smooth.Bezier));
  connect(outside, a.p);
end M;
"""
    )
    connectors = [g.get("data-connector") for g in svg.iter(S + "g") if g.get("data-connector")]
    check(
        "connectors whose condition is false are left out",
        sorted(c for c in connectors if c[0] < "c") == ["a.n", "a.p", "b.h", "b.n", "b.p"],
        connectors,
    )
    check(
        "connector at an icon",
        same_box(paths(group(svg, "a.p", "data-connector"))[0], -51, -1, -49, 1),
    )
    check(
        "iconTransformation",
        same_box(paths(group(svg, "a.n", "data-connector"))[0], -31, -1, -29, 1),
    )
    check(
        "a connector of the class shows its diagram layer",
        same_box(paths(group(svg, "outside"))[0], -105, -5, -95, 5)
        and group(svg, "outside").find(S + "text").text == "outside",
    )
    check(
        "a component that is absent is faint",
        group(svg, "c").get("opacity") == ".3" and not group(svg, "b").get("opacity"),
    )
    line = group(svg, "a.n b.p", "data-connection")
    check(
        "connection",
        near(numbers(paths(line)[0]), [-30, 0, 30, 0])
        and paths(line)[0].get("stroke") == "#0000ff"
        and paths(line)[0].get("stroke-dasharray"),
    )
    check("the line of a connection", line.get("data-line") == "22", line.attrib)
    check(
        "a connection to an absent component is faint",
        group(svg, "c.p b.p", "data-connection").get("opacity") == ".3",
    )
    found = numbers(paths(group(svg, "outside a.p", "data-connection"))[0])
    check("a connection without a line is routed", near(found, [-100, 0, -50, 0]), found)
    order = [g.get("class").split()[0] for g in svg.findall(S + "g")]
    check(
        "connections lie above components",
        order == ["graphics"] + 4 * ["component"] + 3 * ["connection"],
        order,
    )
    icon = draw(open("M.mo").read(), "Two", "--icon")
    check(
        "the icon of a class",
        same_box(paths(icon.find(S + "g"))[0], -100, -30, 100, 30)
        and icon.get("viewBox") == "-114.125 -104 228.25 208",
        icon.get("viewBox"),
    )
    numbers_of_h = [g for g in icon.iter(S + "g") if g.get("data-component") == "h"]
    check("absent connectors are not in the icon", not numbers_of_h)


def test_items():
    svg = draw(
        """
model M
  annotation(Diagram(graphics = {
    Line(origin = {10, 0}, rotation = 90, points = {{0, 0}, {10, 0}, {20, 0}}, arrow = {Arrow.None, Arrow.Filled}, arrowSize = 6),
    Line(points = {{0, 0}, {10, 10}, {20, 0}}, smooth = Smooth.Bezier),
    Polygon(points = {{0, 0}, {10, 0}, {10, 10}, {0, 0}}, fillPattern = FillPattern.HorizontalCylinder, lineColor = {1, 2, 3}, fillColor = {4, 5, 6}),
    Ellipse(extent = {{-20, -10}, {20, 10}}, startAngle = 0, endAngle = 90, fillPattern = FillPattern.Sphere),
    Rectangle(extent = {{0, 0}, {30, 20}}, fillPattern = FillPattern.CrossDiag),
    Rectangle(extent = {{0, 0}, {30, 20}}, pattern = LinePattern.None, fillPattern = FillPattern.Solid, fillColor = DynamicSelect({9, 8, 7}, if time > 1 then {1, 1, 1} else {2, 2, 2})),
    Text(extent = {{0, 0}, {0, 12}}, textString = "left\\nsecond <&>", horizontalAlignment = TextAlignment.Left, textColor = {1, 1, 1}, textStyle = {TextStyle.Bold}, fontSize = 10)}));
end M;
"""
    )
    items = paths(svg.find(S + "g"))
    check("origin and rotation of an item", near(numbers(items[0]), [10, 0, 10, -10, 10, -20]))
    check(
        "arrow",
        near(numbers(items[1]), [8, -14, 10, -20, 12, -14])
        or near(numbers(items[1]), [12, -14, 10, -20, 8, -14]),
        numbers(items[1]),
    )
    # through the middles of the sides; the parabola's control points are two thirds of the way to
    # the corner
    check(
        "smooth line",
        near(
            numbers(items[2]),
            [0, 0, 5, -5, 5 + 10 / 3, -5 - 10 / 3, 15 - 10 / 3, -5 - 10 / 3, 15, -5, 20, 0],
        ),
        numbers(items[2]),
    )
    check(
        "polygon closes once", items[3].get("d").count("L") == 2 and items[3].get("d").endswith("Z")
    )
    gradients = {g.get("id"): g for g in svg.iter() if g.tag.endswith("Gradient")}
    cylinder = gradients[items[3].get("fill")[5:-1]]
    check(
        "cylinder",
        cylinder.tag.endswith("linearGradient")
        and [s.get("stop-color") for s in cylinder] == ["#010203", "#040506", "#010203"],
    )
    check("sphere", gradients[items[4].get("fill")[5:-1]].tag.endswith("radialGradient"))
    arc = numbers(items[4])
    check(
        "arc",
        near(arc[:4], [0, 0, 20, 0])
        and near(arc[-2:], [0, -10])
        and items[4].get("d").endswith("Z"),
        arc,
    )
    check(
        "hatch",
        items[5].get("fill") == "url(#h1)"
        and svg.find(S + "defs").find(S + "pattern").get("id") == "h1",
    )
    check(
        "no outline; the static part of DynamicSelect",
        items[6].get("stroke") is None and items[6].get("fill") == "#090807",
    )
    lines = svg.find(S + "g").findall(S + "text")
    check(
        "lines of a text",
        [t.text for t in lines] == ["left", "second <&>"]
        and lines[0].get("text-anchor") == "start"
        and lines[0].get("font-weight") == "bold",
    )
    check(
        "size in points",
        abs(float(lines[0].get("font-size")) - 10 * 25.4 / 72) < 2e-3
        and not lines[0].get("textLength"),
    )


def png(w, h):
    chunk = (
        lambda kind, data: struct.pack(">I", len(data))
        + kind
        + data
        + struct.pack(">I", zlib.crc32(kind + data))
    )
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress((b"\0" + b"\xff\0\0" * w) * h))
        + chunk(b"IEND", b"")
    )


def test_images():
    """Images come from the resources of the library, not from elsewhere."""
    os.makedirs("Lib/Resources")
    for path in ("Lib/Resources/a.png", "secret.png"):
        with open(path, "wb") as f:
            f.write(png(2, 1))
    os.symlink("../../secret.png", "Lib/Resources/link.png")
    bitmap = lambda source: "Bitmap(extent = {{0, 0}, {20, 20}}, %s)" % source
    write(
        "Lib/package.mo",
        "package Lib model M annotation(Diagram(graphics = {%s})); end M; end Lib;"
        % ", ".join(
            bitmap(b)
            for b in (
                'fileName = "modelica://Lib/Resources/a.png"',
                'imageSource = "%s"' % base64.b64encode(png(3, 3)).decode(),
                'fileName = "modelica://Lib/../secret.png"',
                'fileName = "modelica://Lib/Resources/link.png"',
                'fileName = "secret.png"',
                'fileName = "file://%s"' % os.path.abspath("secret.png"),
                'fileName = "modelica://Lib/package.mo"',
            )
        ),
    )
    rc, out, err = call("diagram", "Lib/package.mo", "Lib.M")
    images = list(ET.fromstring(out).iter(S + "image"))
    check(
        "two images; those outside the library are not read",
        rc == 0 and len(images) == 2,
        (rc, err, len(images)),
    )
    check(
        "image data",
        base64.b64decode(images[0].get("href").split(",")[1]) == png(2, 1)
        and images[0].get("href").startswith("data:image/png;base64,"),
    )
    rc, _, err = call("diagram", "Lib/package.mo", "Lib.M", "-o", "m.png")
    check(
        "an image in a picture",
        rc == 0 and open("m.png", "rb").read(8) == b"\x89PNG\r\n\x1a\n",
        err,
    )


def test_unknown_classes():
    """Components whose class is missing are boxes that say so; the others are drawn as ever."""
    write("M.mo", PART + """model M
  Lib.Sub.Thing a annotation(Placement(transformation(extent={{-60,-10},{-40,10}})));
  Nothing b annotation(Placement(transformation(extent={{0,-10},{20,30}}, rotation=90)));
  Part c(nonsense=1) annotation(Placement(transformation(extent={{40,-10},{60,10}})));
  Lib.Thing d;
equation
  connect(a.p, c.p) annotation(Line(points={{-40,0},{40,0}}));
end M;
""")
    rc, out, err = call("diagram", "M.mo", "M")
    svg = ET.fromstring(out)
    boxes = {g.get("data-component"): g for g in svg.iter(S + "g")
             if g.get("class") == "component unknown"}
    check("boxes for those with a place", sorted(boxes) == ["a", "b"], out)
    check("a library is named", "library 'Lib' is missing" in ET.tostring(boxes["a"]).decode())
    check("a class is named", "class 'Nothing' is missing" in ET.tostring(boxes["b"]).decode())
    check("where it is declared", int(boxes["a"].get("data-line")) == PART.count("\n") + 2, out)
    xs = numbers(paths(boxes["a"])[0])[::2]
    check("its place", min(xs) >= -60 and max(xs) <= -40, xs)
    check("the rest is drawn", group(svg, "c") is not None and
          group(svg, "a.p c.p", "data-connection") is not None)
    check("it is not arranged", svg.get("data-arranged") is None)
    write("N.mo", "model N Nothing b annotation(Placement(transformation(extent="
          "{{0,0},{20,20}}))); end N;")
    svg = ET.fromstring(call("diagram", "N.mo")[1])
    check("also alone", svg.get("data-arranged") is None and group(svg, "b") is not None)


def test_formats():
    write("M.mo", PART)
    for ending, head in (("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        rc, _, err = call("diagram", "M.mo", "Part", "--icon", "-o", "i." + ending)
        check(
            "format " + ending, rc == 0 and open("i." + ending, "rb").read(len(head)) == head, err
        )


def test_bad_calls():
    write("M.mo", PART)
    for bad, status in (
        (["diagram", "M.mo", "-o", "x.gif"], 2),
        (["diagram", "M.mo", "Nothing"], 1),
        (["diagram", "none.mo"], 2),
        (["diagram"], 2),
        (["diagram", "M.mo", "-o", "no/such/folder.svg"], 2),
    ):
        rc, _, err = call(*bad)
        check("rejected: " + " ".join(bad), rc == status and err, (rc, err))


def test_bad_annotations():
    for text in (
        "graphics = 3",
        "graphics = {Line(points = {{1}, {2, x}, 3})}",
        "graphics = {Polygon(points = {{1, 2}}), Text(extent = {{0, 0}}, textString = 3)}",
        (
            "coordinateSystem(extent = {{0, 0}, {0, 0}}), graphics = {Rectangle(extent = {{1e300,"
            " 0}, {1, 1}})}"
        ),
        "graphics = {Nothing(), f(x), Line}",
        (
            "graphics = {Line(points = {{0, 0}, {nothing, 1}}), Ellipse(extent = {{0, 0}, {0, 0}},"
            " startAngle = 10, endAngle = 10)}"
        ),
    ):
        svg = draw("model M annotation(Icon(%s), Diagram(%s)); end M;" % (text, text))
        draw(open("M.mo").read(), "--icon")


def test_class_without_icon():
    svg = draw(
        "model A A2 a annotation(Placement(transformation(extent = {{0, 0}, {1, 1}}))); end"
        " A;\nmodel A2 end A2;\nmodel M A a annotation(Placement(transformation(extent = {{0, 0},"
        " {20, 20}}))); end M;"
    )
    check(
        "a class without an icon is a box with its names",
        [t.text for t in group(svg, "a").findall(S + "text")] == ["A", "a"],
    )


def test_arrangement():
    """The parts of a model without places are arranged; lines end at their connectors."""
    svg = draw(
        """
connector Pin Real v; flow Real i; annotation(Icon(graphics = {Ellipse(extent = {{-100, 100}, {100, -100}})})); end Pin;
model Two
  Pin p annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Pin n annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
equation p.i + n.i = 0; p.v - n.v = p.i;
  annotation(Icon(graphics = {Rectangle(extent = {{-90, 30}, {90, -30}})}));
end Two;
model Plain Pin p; equation p.v = 0; end Plain;
model M
  parameter Real k = 1;
  Two a, b, c;
  Plain g;
  Two alone;
  Real x(start = 0);
equation
  connect(a.n, b.p);
  connect(b.n, c.p);
  connect(a.p, g.p);
  der(x) = k;
end M;
"""
    )
    boxes = {}
    for g in svg.findall(S + "g"):
        if g.get("data-component"):
            v = numbers([p for p in g.findall(S + "path") if p.get("class") == "target"][0])
            boxes[g.get("data-component")] = (min(v[::2]), min(v[1::2]), max(v[::2]), max(v[1::2]))
    check("all parts are there", sorted(boxes) == ["a", "alone", "b", "c", "g"], boxes)
    apart = lambda p, q: p[2] <= q[0] or q[2] <= p[0] or p[3] <= q[1] or q[3] <= p[1]
    check(
        "they lie apart",
        all(apart(boxes[p], boxes[q]) for p in boxes for q in boxes if p < q),
        boxes,
    )
    line = numbers(paths(group(svg, "a.n b.p", "data-connection"))[0])
    check(
        "a line from connector to connector",
        near(line[:2], [boxes["a"][2], (boxes["a"][1] + boxes["a"][3]) / 2])
        and near(line[-2:], [boxes["b"][0], (boxes["b"][1] + boxes["b"][3]) / 2]),
        line,
    )
    line = numbers(paths(group(svg, "a.p g.p", "data-connection"))[0])
    check(
        "a line to a component without an icon",
        near(line[:2], [boxes["a"][0], (boxes["a"][1] + boxes["a"][3]) / 2])
        and line[-2] in (boxes["g"][0], boxes["g"][2]),
        line,
    )


CHIP = """model Chip
  connector Pin Real v; flow Real i; end Pin;
  model Part Pin a, b, c; end Part;
%s
equation
%s
end Chip;
"""


def wires(svg):
    """The corners of each connection, and its ends."""
    found = {}
    for g in svg.iter(S + "g"):
        if g.get("data-connection"):
            d = g.find(S + "path").get("d")
            check("a path begins with a move", d[0] == "M" and "L" in d, d)
            v = numbers(g.find(S + "path"))
            found[g.get("data-connection")] = list(zip(v[::2], v[1::2]))
    return found


def nets(connections):
    """For each connection the set of all ends of its net."""
    sets = []
    for c in connections:
        ends = set(c.split())
        for other in [s for s in sets if s & ends]:
            sets.remove(other)
            ends |= other
        sets.append(ends)
    return {c: next(i for i, s in enumerate(sets) if c.split()[0] in s) for c in connections}


def pieces(corners):
    return [(a, b) for a, b in zip(corners, corners[1:]) if a != b]


def cover(p, q):
    """Whether two pieces share more than a point."""
    for k in 0, 1:
        if p[0][k] == p[1][k] == q[0][k] == q[1][k]:
            lo = max(min(p[0][1 - k], p[1][1 - k]), min(q[0][1 - k], q[1][1 - k]))
            hi = min(max(p[0][1 - k], p[1][1 - k]), max(q[0][1 - k], q[1][1 - k]))
            return hi - lo > 0.01
    return False


def test_routes_of_random_circuits():
    """Lines are horizontal and vertical, and those of different nets do not cover each other."""
    for seed in range(6):
        chance = random.Random(seed)
        names = ["p%d" % i for i in range(4 + 2 * seed)]
        pins = ["%s.%s" % (n, c) for n in names for c in "abc"]
        chance.shuffle(pins)
        joins = list(zip(pins[::2], pins[1::2])) + [(pins[0], pins[3])]
        text = CHIP % (
            "\n".join("  Part %s;" % n for n in names),
            "\n".join("  connect(%s, %s);" % j for j in joins),
        )
        found = wires(draw(text))
        check("all connections", len(found) == len(joins), (len(found), len(joins)))
        net = nets(found)
        for c, corners in found.items():
            for a, b in pieces(corners):
                check("right angles in " + c, a[0] == b[0] or a[1] == b[1], (seed, corners))
        for c in found:
            for d in (d for d in found if net[d] < net[c]):
                for p in pieces(found[c]):
                    for q in pieces(found[d]):
                        check("%s beside %s" % (c, d), not cover(p, q), (seed, p, q))


def test_transitions():
    svg = draw(
        """
model S annotation(Icon(graphics = {Rectangle(extent = {{-100, 100}, {100, -100}})})); end S;
model M
  S a annotation(Placement(transformation(extent = {{0, 0}, {20, 20}})));
  S b annotation(Placement(transformation(extent = {{40, 0}, {60, 20}})));
equation
  initialState(a) annotation(Line(points = {{10, 20}, {10, 30}}));
  transition(a, b, time > 1, immediate = false) annotation(Line(points = {{20, 10}, {40, 10}}), Text(extent = {{0, 0}, {20, 5}}, origin = {20, 12}, textString = "%condition"));
end M;
"""
    )
    step = group(svg, "a b", "data-connection")
    check(
        "transition",
        step.get("class") == "transition" and step.find(S + "text").text == "time > 1",
        step.find(S + "text").text,
    )


def test_texts_of_transitions_lie_at_the_line():
    # delayed: relative to the first point of the line; immediate: to the last
    text = '''
model S annotation(Icon(graphics = {Rectangle(extent = {{-100, 100}, {100, -100}})})); end S;
model M
  S a annotation(Placement(transformation(extent = {{0, 0}, {20, 20}})));
  S b annotation(Placement(transformation(extent = {{40, 0}, {60, 20}})));
equation
  transition(a, b, time > 1, WHEN) annotation(Line(points = {{20, 10}, {30, 30}, {40, 10}}),
    Text(string = "%condition", extent = {{4, -4}, {4, -10}}, fontSize = 10,
      horizontalAlignment = TextAlignment.Left));
end M;
'''
    ways = ("immediate = false", 24), ("false", 24), ("immediate = true", 44), ("true", 44)
    for when, x in ways:
        words = group(draw(text.replace("WHEN", when)), "a b", "data-connection").find(S + "text")
        check("text of " + when, words is not None and words.text == "time > 1", words)
        check("its place, " + when, abs(float(words.get("x")) - x) < 1e-6, words.attrib)


def test_state_machines_without_lines():
    """Without places, states are arranged: transitions have arrows and conditions, and a mark leads
    to the initial state. With places but without its line, the initial state is marked, too."""
    machine = """
block S annotation(Icon(graphics = {Rectangle(extent = {{-100, 100}, {100, -100}})})); end S;
model M
  S a PLACE, b;
  Real x = time;
equation
  initialState(a);
  transition(a, b, x >= 3);
  transition(b, a, x <= 0, immediate = false);
end M;
"""
    svg = draw(machine.replace("PLACE", ""))
    found = wires(svg)
    there, back = found["a b"], found["b a"]
    check("from a to b", there[0][0] < there[-1][0] and back[0][0] > back[-1][0], (there, back))
    check("lines apart", there[0][1] != back[-1][1] and there[-1][1] != back[0][1], (there, back))
    for ends, words in (("a b", "x >= 3"), ("b a", "x <= 0")):
        one = group(svg, ends, "data-connection")
        check("condition", one.find(S + "text").text == words, one.find(S + "text"))
        arrows = [p for p in one.iter(S + "path") if (p.get("fill") or "none") != "none"]
        check("arrow of " + ends, len(arrows) == 1, [p.attrib for p in one.iter(S + "path")])
    for place in ("", "annotation(Placement(transformation(extent = {{0, 0}, {20, 20}})))"):
        mark = group(draw(machine.replace("PLACE", place)), "a ", "data-connection")
        check("mark of the initial state", mark is not None and mark.find(S + "path") is not None)


def test_lines_between_placed_components():
    """Connections and transitions without a line are routed between the places of their ends, if
    these are seen."""
    svg = draw(
        """
connector Pin
  Real v;
  flow Real i;
  annotation(Icon(graphics = {Rectangle(extent = {{-100, -100}, {100, 100}})}));
end Pin;
model Part
  Pin a annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Pin b annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  Pin hidden;
  annotation(Icon(graphics = {Rectangle(extent = {{-100, 100}, {100, -100}})}));
end Part;
model M
  Part p annotation(Placement(transformation(extent = {{0, 0}, {40, 40}})));
  Part q annotation(Placement(transformation(extent = {{100, -60}, {120, -40}})));
  Part middle annotation(Placement(transformation(extent = {{60, -20}, {80, 40}})));
  Part nowhere;
equation
  connect(p.b, q.a);
  connect(p.hidden, q.hidden);
  connect(nowhere.a, q.b);
  connect(p.a, middle.a) annotation(Line(points = {{0, 20}, {0, 60}, {60, 60}, {60, 10}}));
  transition(q, middle, time > 1);
end M;
"""
    )
    found = wires(svg)
    check("lines", sorted(found) == ["p.a middle.a", "p.b q.a", "q middle"], sorted(found))
    line = found["p.b q.a"]  # y goes down on the page
    check("its ends", near(line[0], (40, -20)) and near(line[-1], (100, 50)), line)
    for (x0, y0), (x1, y1) in zip(line, line[1:]):
        check("right angles", x0 == x1 or y0 == y1, line)
        inside = min(x0, x1) < 80 and max(x0, x1) > 60 and min(y0, y1) < 20 and max(y0, y1) > -40
        check("around the component between them", not inside, line)
    step = found["q middle"]
    check("sides of the states", near(step[0], (100, 50)) and near(step[-1], (80, -10)), step)
    words = group(svg, "q middle", "data-connection").find(S + "text")
    check("condition", words is not None and words.text == "time > 1", words)


program.run_tests()
