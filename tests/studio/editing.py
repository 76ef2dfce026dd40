"""Edits of diagrams: each is one change of the text, and the text means what was drawn. If
KAIROS_MSL names the Modelica Standard Library, components of its classes are moved there and
back."""
import glob, json, os, random, re, sys
import xml.etree.ElementTree as xml

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from client import run_tests
from program import write

PARTS = """package Parts
  connector Pin
    Real v;
    flow Real i;
    annotation (Icon(graphics={Rectangle(extent={{-100,-100},{100,100}}, lineColor={0,0,255})}));
  end Pin;
  connector Flange
    Real phi;
    flow Real tau;
  end Flange;
  model Two "two pins"
    Pin p annotation (Placement(transformation(extent={{-110,-10},{-90,10}})));
    Pin n annotation (Placement(transformation(extent={{90,-10},{110,10}})));
    parameter Real R(min=0, unit="Ohm") = 1 "resistance"
      annotation (Dialog(tab="Main", group="Values", enable=on));
    parameter Boolean on = true "conducts";
    parameter Kind kind = Kind.soft "how";
    Real u(start=0) = p.v - n.v annotation (Dialog(showStartAttribute=true));
  equation
    p.i + n.i = 0;
    u = R*p.i;
  end Two;
  type Kind = enumeration(soft "gently", hard);
  model Wheel
    Flange f annotation (Placement(transformation(extent={{90,-10},{110,10}})));
  equation
    f.tau = 0;
    annotation (defaultComponentName="rim");
  end Wheel;
end Parts;
"""
START = """model M "drawn"   // keep 1
  /* keep 2 */
  Parts.Two a(R = 2) "first" // keep 3
    annotation(Placement(transformation(extent={{-60.0, -10},
      {-40.0, 10}})));
  Parts.Two b annotation (Placement(transformation(origin={20,30}, extent={{-10,-10},{10,10}}))),
    c(R=3)   annotation(Placement(transformation(extent={{-80,-10},{-60,10}}, rotation=180)));
protected
  parameter Real k = 1; // keep 4
equation
  connect(a.n, b.p) annotation (Line(points={{-40,0},{-10,0},
        {-10,30},{10,30}}, color={0,0,255})); // keep 5
  k*time = 1; // keep 6
  annotation (Diagram(graphics={Text(extent={{-9,90},{9,99}}, textString="x")})); // keep 7
end M;
"""


def workspace():
    write("ws/Parts.mo", PARTS)


def ask(text, *operations, name="M"):
    body = {"path": name + ".mo", "text": text, "class": name, "operations": list(operations)}
    return studio.call("POST", "/api/edit", body)[1]


def edit(text, op, of="M", /, **arguments):
    answer = ask(text, dict(arguments, op=op), name=of)
    assert "text" in answer, (op, arguments, answer)
    assert apply(text, answer["changes"]) == answer["text"]
    return answer["text"]


def apply(text, changes):
    """The changes by their ranges, as an editor makes them."""
    lines = text.split("\n")
    offset = lambda p: sum(len(l) + 1 for l in lines[: p["line"]]) + p["character"]
    for one in reversed(changes):
        start, end = offset(one["range"]["start"]), offset(one["range"]["end"])
        text = text[:start] + one["newText"] + text[end:]
    return text


def refused(text, op, /, **arguments):
    answer = ask(text, dict(arguments, op=op))
    assert "error" in answer, (op, arguments, answer)
    return answer["error"]


def changed(old, new):
    """Lines that went, and lines that came."""
    a, b = old.split("\n"), new.split("\n")
    return [l.strip() for l in a if l not in b], [l.strip() for l in b if l not in a]


# ---- single operations ----


def test_move_keeps_the_style_of_numbers():
    went, came = changed(START, edit(START, "move", components=["a"], by=[10, 20]))
    assert came == [
        "annotation(Placement(transformation(extent={{-50.0, 10},",
        "{-30.0, 30}})));",
        "connect(a.n, b.p) annotation (Line(points={{-30,20},{-10,20},",
    ], came


def test_a_component_of_a_missing_library_moves():
    start = START.replace("Parts.Two a", "Missing.Library.R a", 1)
    assert start != START
    _, came = changed(start, edit(start, "move", components=["a"], by=[10, 20]))
    assert "extent={{-50.0, 10}," in came[0], came


def test_a_rotated_component_moves_on_the_page():
    _, came = changed(START, edit(START, "move", components=["c"], by=[10, 5]))
    assert "extent={{-90,-15},{-70,5}}, rotation=180" in came[0], came


def test_rotate_mirror_resize():
    _, came = changed(START, edit(START, "rotate", components=["b"], by=90))
    assert "origin={20,30}, extent={{-10,-10},{10,10}}, rotation=90" in came[0], came
    assert came[1].startswith("{-10,20},{20,20}}"), came
    _, came = changed(START, edit(START, "mirror", components=["b"], axis="horizontal"))
    assert "extent={{10,-10},{-10,10}}" in came[0], came
    _, came = changed(START, edit(START, "resize", component="b", extent=[0, 10, 40, 50]))
    assert "origin={20,30}, extent={{-20,-20},{20,20}}" in came[0], came


def test_a_straight_line_gets_a_step_and_loses_it_again():
    text = START.replace("{-10,0},\n        {-10,30},{10,30}", "{10,0}")
    text = text.replace("{20,30}", "{20,0}")
    there = edit(text, "move", components=["b"], by=[0, 20])
    assert "{{-40,0},{-15,0},{-15,20},{10,20}}" in there, there
    assert edit(there, "move", components=["b"], by=[0, -20]) == text


def test_add():
    answer = ask(START, {"op": "add", "class": "Parts.Two", "at": [0, -40]})
    assert answer["names"] == ["two"], answer
    _, came = changed(START, answer["text"])
    assert came == [
        "Parts.Two two",
        "annotation (Placement(transformation(extent={{-10,-50},{10,-30}})));",
    ], came
    assert answer["text"].index("two\n") < answer["text"].index("protected")
    assert ask(START, {"op": "add", "class": "Parts.Wheel", "at": [0, 0]})["names"] == ["rim"]
    twice = [{"op": "add", "class": "Parts.Two", "at": [0, 0]}] * 2
    assert ask(START, *twice)["names"] == ["two", "two1"]
    assert "package" in refused(START, "add", **{"class": "Parts", "at": [0, 0]})
    assert "no class" in refused(START, "add", **{"class": "Parts.No", "at": [0, 0]})
    assert "itself" in refused(START, "add", **{"class": "M", "at": [0, 0]})
    empty = edit("model E end E;", "add", "E", **{"class": "Parts.Two", "at": [0, 0]})
    assert empty.startswith("model E\n  Parts.Two two\n") and empty.endswith("; end E;"), empty


def test_delete():
    went, came = changed(START, edit(START, "delete", components=["b"]))
    assert len(went) == 4 and came[0] == (
        "Parts.Two c(R=3)   annotation(Placement(transformation(extent={{-80,-10},{-60,10}},"
        " rotation=180)));"
    ), (went, came)
    _, came = changed(START, edit(START, "delete", components=["c"]))
    assert came[0].startswith("Parts.Two b") and came[0].endswith(";"), came
    went, came = changed(START, edit(START, "delete", connections=[["a.n", "b.p"]]))
    assert came == ["// keep 5"], came
    none = edit(START, "delete", components=["a", "b", "c"], items=[0])
    assert "Parts" not in none and "connect" not in none and "Diagram)" in none, none
    assert "no connection" in refused(START, "delete", connections=[["a.n", "c.p"]])


def test_connect_goes_around_components():
    text = edit(START, "connect", a="b.n", b="a.p")
    line = re.search(r"connect\(b.n, a.p\) annotation \(Line\(points={(.*)}, color={0,0,255}", text)
    points = eval("[" + line[1].replace("{", "(").replace("}", ")") + "]")
    assert points[0] == (30, 30) and points[-1] == (-60, 0), points
    for (x1, y1), (x2, y2) in zip(points, points[1:]):
        assert x1 == x2 or y1 == y2
        for left, low in ((-60, -10), (10, 20), (60, -10)):  # the boxes of a, b, c
            inside = (
                min(x1, x2) < left + 20 and max(x1, x2) > left
                and min(y1, y2) < low + 20 and max(y1, y2) > low
            )
            assert not inside, (points, left)
    given = edit(START, "connect", a="b.n", b="c.n", points=[[0, 0], [45, 30], [45, 0], [0, 0]])
    assert "points={{30,30},{45,30},{45,0},{60,0}}" in given, given
    assert "itself" in refused(START, "connect", a="b.n", b="b.n")
    assert "no component" in refused(START, "connect", a="b.n", b="z.p")
    assert "connector" in refused(START, "connect", a="b.n", b="1+")
    assert "connector" in refused(START, "connect", a="b", b="a.p")


def test_route():
    text = edit(START, "route", a="b.p", b="a.n", points=[[0, 0], [0, 0], [0, 30], [0, 0]])
    assert "points={{-40,0},{0,0},\n        {0,30},{10,30}}" in text, text
    without = re.sub(r" annotation \(Line\(.*?\)\);", ";", START, count=1, flags=re.S)
    assert "Line(" not in without.split("connect(a.n, b.p)")[1].split(";")[0], without
    text = edit(without, "route", a="a.n", b="b.p", points=[[-40, 0], [0, 0], [0, 30], [10, 30]])
    assert "points={{-40,0},{0,0},{0,30},{10,30}}" in re.sub(r"\s", "", text), text
    # the caller saw the ends elsewhere: pieces at the ends stay level or upright
    text = edit(START, "route", a="b.p", b="a.n", points=[[-42, 0], [-42, 50], [7, 50], [7, 30]])
    assert "points={{-40,0},{-40,50},{10,50},{10,30}}" in re.sub(r"\s", "", text), text
    text = edit(START, "route", a="b.p", b="a.n", points=[[0, 0], [9, 9]])
    assert "points={{-40,0},{10,30}}" in text, text


def test_modify():
    set_ = lambda **a: changed(START, edit(START, "modify", **a))[1]
    assert set_(component="a", name="R", value="10*k")[0].startswith("Parts.Two a(R = 10*k) ")
    assert set_(component="a", name="R")[0].startswith('Parts.Two a "first"')
    assert set_(component="a", name="u.start", value="3")[0].startswith(
        "Parts.Two a(R = 2, u(start=3)) "
    )
    assert set_(component="b", name="R", value="1")[0].startswith("Parts.Two b(R=1) annotation")
    assert set_(component="k", name="", value="7")[0] == "parameter Real k = 7; // keep 4"
    assert set_(component="k", name="min", value="0")[0] == "parameter Real k(min=0) = 1; // keep 4"
    assert set_(component="a", name="R", value='"a;b"')  # the check of types is not here
    for bad in ("1)", "1; Real z", "", "1 annotation (x=1)", '"'):
        assert "expression" in refused(START, "modify", component="a", name="R", value=bad), bad
    assert "name" in refused(START, "modify", component="a", name="R(x)", value="1")
    array = "model A\n  Parts.Two r[3];\nend A;\n"
    assert "r[3](each R=2)" in edit(array, "modify", "A", component="r", name="R", value="2")


def test_redeclare():
    write("ws/Sources.mo", """package Sources
  partial model Source
    parameter Real k = 1;
  end Source;
  model Constant "constant"
    extends Source;
  end Constant;
  package Waves
    model Sine "sine wave"
      extends Sources.Source;
      parameter Real f = 50;
    end Sine;
    model Fast = Sine(f=400) "short class";
    partial model Half
      extends Sine;
    end Half;
  end Waves;
  model Other
    parameter Real k = 1;
  end Other;
  model Device
    replaceable Constant s constrainedby Source annotation (choicesAllMatching=true);
    replaceable model M = Constant constrainedby Source
      annotation (choices(choice(redeclare model M = Waves.Sine "as a wave")));
  end Device;
end Sources;
""")
    text = "model M\n  Sources.Device d(M(k=3)), e;\nend M;\n"
    about = lambda text, **more: {"path": "M.mo", "text": text, "class": "M", **more}
    found = studio.post("/api/replacements", **about(text, component="d", element="s"))
    assert found["constraint"] == "Sources.Source", found
    names = {row["value"]: row["title"] for row in found["classes"]}
    assert names == {"Sources.Constant": "constant", "Sources.Waves.Sine": "sine wave",
                     "Sources.Waves.Fast": "short class"}, names
    sine = edit(text, "redeclare", component="e", name="s", value="Sources.Waves.Sine")
    assert "e(redeclare Sources.Waves.Sine s);" in sine, sine
    rows = studio.post("/api/component", **about(sine, component="e"))["parameters"]
    s, m = [row for row in rows if row["name"] in "sM"]
    assert s["value"] == "Sources.Waves.Sine" and s["matching"] and "value" not in m, rows
    assert m["choices"] == [{"value": "Sources.Waves.Sine", "title": "as a wave"}], m
    fast = edit(sine, "redeclare", component="e", name="s", value="Sources.Waves.Fast")
    assert fast == sine.replace("Waves.Sine", "Waves.Fast"), fast
    assert edit(fast, "redeclare", component="e", name="s") == text
    both = edit(sine, "redeclare", component="e", name="M", value="Sources.Waves.Sine")
    assert "s, redeclare model M = Sources.Waves.Sine)" in both, both
    found = studio.post("/api/check", path="M.mo", text=both)["diagnostics"]
    assert not [m for m in found if m["severity"] == "error"], found
    heir = "model H\n  extends M;\nend H;\n"
    write("ws/M.mo", text)
    heir = edit(heir, "redeclare", "H", component="e", name="s", value="Sources.Constant")
    assert "extends M(e(redeclare Sources.Constant s));" in heir, heir
    assert "no class" in refused(text, "redeclare", component="e", name="s", value="Nothing")
    assert "no replaceable" in refused(text, "redeclare", component="e", name="zz", value="M")
    assert "in the source" in refused(text, "redeclare", component="d", name="M", value="M")


def test_extract():
    text = """model M
  parameter Real k = 2;
  Parts.Two a(R = k) annotation (Placement(transformation(extent={{-60,-10},{-40,10}})));
  Parts.Two b, c annotation (Placement(transformation(extent={{20,-10},{40,10}})));
  Real v = b.R + c.R;
equation
  connect(a.n, b.p) annotation (Line(points={{-40,0},{0,0}})); // keep
  connect(b.n, c.p);
  connect(c.n, a.p);
end M;
"""
    answer = ask(text, {"op": "extract", "components": ["a", "b"], "name": "Half"})
    model = answer["model"]
    assert "parameter Real k;" in model and "Parts.Two a(R = k)" in model, model
    assert "connect(a.n, b.p) annotation (Line(points={{-40,0},{0,0}}));" in model, model
    assert answer["inner"] == [["b.n", "n"], ["a.p", "p"]], answer
    assert answer["outer"] == [["half.n", "c.p"], ["half.p", "c.n"]], answer
    assert answer["part"]["name"] == "half" and answer["part"]["text"] == "(k=k)", answer
    rest = answer["text"]
    assert "Real v = half.b.R + c.R;" in rest and "Parts.Two c annotation" in rest, rest
    assert "connect(" not in rest and "Two a" not in rest and "// keep" in rest, rest
    write("ws/Half.mo", model)
    rest = edit(rest, "add", **{"class": "Half", **answer["part"]})
    for a, b in answer["outer"]:
        rest = edit(rest, "connect", a=a, b=b)
    codes = lambda text: [
        m["code"] for m in studio.post("/api/check", path="M.mo", text=text)["diagnostics"]]
    assert codes(rest) == codes(text), (codes(rest), rest)
    inside = "package P\n  %s\nend P;\n" % text.replace("\n", "\n  ").strip()
    body = {"path": "P.mo", "text": inside, "class": "P.M", "operations": [
        {"op": "extract", "components": ["a", "b"], "name": "Half"}]}
    answer = studio.post("/api/edit", **body)
    assert "model" not in answer, answer
    assert "\n  end Half;\n\n  model M\n" in answer["text"], answer["text"]
    assert "not a parameter" in refused(text.replace("parameter Real k = 2", "Real k = time"),
                                        "extract", components=["a"], name="Half")
    assert "a name" in refused(text, "extract", components=["a"], name="1x")


def test_icons():
    icons = studio.post("/api/icons", classes=["Parts.Two", "Parts", "Nothing"])
    assert list(icons) == ["Parts.Two"] and icons["Parts.Two"].startswith("<svg"), icons


def test_inherited_components_are_modified_by_the_extends_clause():
    write("ws/Base.mo", START.replace("model M", "model Base").replace("end M", "end Base"))
    text = "model M\n  extends Base(a(R=4)); // keep\nend M;\n"
    new = edit(text, "modify", component="b", name="R", value="5")
    assert "extends Base(a(R=4), b(R=5)); // keep" in new, new
    new = edit(text, "modify", component="a", name="R")
    assert "extends Base(a); // keep" in new or "extends Base; // keep" in new, new
    assert "inherited from 'Base'" in refused(text, "move", components=["a"], by=[1, 1])
    rows = studio.post("/api/component", path="M.mo", text=text, component="a", **{"class": "M"})
    assert rows["inherited"] == "Base"
    r = [row for row in rows["parameters"] if row["name"] == "R"][0]
    assert r["value"] == "4" and r["default"] == "2" and r["from"] == "Base", r


def test_describe_the_parameters_of_a_component():
    ask_ = lambda text: studio.post(
        "/api/component", path="M.mo", text=text, component="a", **{"class": "M"}
    )
    answer = ask_(START)
    assert answer["class"] == "Parts.Two" and answer["description"] == "first", answer
    rows = {row["name"]: row for row in answer["parameters"]}
    assert list(rows) == ["R", "on", "kind", "u.start", "u.fixed"], list(rows)
    r = rows["R"]
    assert (r["tab"], r["group"], r["unit"], r["value"], r["default"], r["enabled"]) == (
        "Main", "Values", "Ohm", "2", "1", True
    ), r
    assert [c["value"] for c in rows["kind"]["choices"]] == ["Parts.Kind.soft", "Parts.Kind.hard"]
    assert rows["kind"]["choices"][0]["title"] == "gently"
    off = ask_(edit(START, "modify", component="a", name="on", value="false"))
    assert not off["parameters"][0]["enabled"]
    assert studio.call("POST", "/api/component", {"path": "M.mo", "text": START, "class": "M",
                                                  "component": "no"})[0] == 404


def test_copy_and_paste():
    clip = ask(START, {"op": "copy", "components": ["a", "b"]})["clip"]
    answer = ask(START, {"op": "paste", "clip": clip})
    assert answer["names"] == ["a1", "b1"], answer
    assert "connect(a1.n, b1.p) annotation (Line(" in answer["text"]
    other = ask("model N\nend N;\n", {"op": "paste", "clip": clip}, name="N")["text"]
    assert "Parts.Two a(R = 2)" in other and "equation\n  connect(a.n, b.p)" in other, other
    assert "nothing" in refused(START, "paste", clip={"components": []})


def test_the_automatic_layout_can_be_kept():
    text = "model M\n  Parts.Two a, b; // one\nequation\n  connect(a.n, b.p);\nend M;\n"
    kept = edit(text, "arrange")
    assert kept.count("Placement(") == 2 and kept.count("Line(points=") == 1, kept
    assert edit(kept, "arrange") == kept
    assert picture(text).keys() == picture(kept).keys()
    machine = "model M\n  Parts.Two a, b;\nequation\n  initialState(a);\n"
    machine = edit(machine + "  transition(a, b, time > 1);\nend M;\n", "arrange")
    assert machine.count("Line(points=") == 2 and machine.count("Arrow.Filled") == 2, machine
    assert 'textString="%condition"' in machine, machine


def test_graphics():
    box = "Rectangle(extent={{0,0},{10,10}})"
    text = edit(START, "draw", text=box)
    assert 'textString="x"),\n      Rectangle(extent={{0,0},{10,10}})}' in text, text
    text = edit(text, "shift", items=[1], by=[5, -5])
    assert "Rectangle(extent={{5,-5},{15,5}})" in text, text
    text = edit(text, "redraw", item=0, text="Line(points={{0,0},{1,1}})")
    assert "{Line(points={{0,0},{1,1}}),\n      Rect" in text, text
    assert "graphics={Rect" in edit(text, "delete", items=[0])
    icon = edit("model E\nend E;\n", "draw", "E", layer="icon", text=box)
    assert icon == "model E\n  annotation (Icon(graphics={%s}));\nend E;\n" % box, icon
    text = edit(text, "paint", items=[1], name="fillColor", value="{255,0,0}")
    assert "Rectangle(extent={{5,-5},{15,5}}, fillColor={255,0,0})" in text, text
    text = edit(text, "paint", items=[1], name="extent", value="{{0,0},{4,4}}")
    items = ask(text, {"op": "items", "items": [1]})["items"]
    fields = {"extent": "{{0,0},{4,4}}", "fillColor": "{255,0,0}"}
    assert items[0]["kind"] == "Rectangle" and items[0]["fields"] == fields, items
    assert "Rectangle(extent={{0,0},{4,4}})" in edit(text, "paint", items=[1], name="fillColor")
    clip = ask(text, {"op": "copy", "items": [1]})["clip"]
    answer = ask(text, {"op": "paste", "clip": clip})
    assert answer["names"] == ["#2"] and answer["text"].count("Rectangle(") == 2, answer
    long = edit(text, "draw", text="Line(points={%s{0,0}})" % ("{1,1}," * 12))
    assert max(map(len, long.split("\n"))) <= 120, long
    assert "not an expression" in refused(text, "paint", items=[1], name="a", value="1); x(")
    assert "graphical item" in refused(START, "draw", text="system()")
    assert "no such" in refused(START, "delete", items=[7])


def test_bad_requests():
    assert "no operation" in refused(START, "explode")
    assert "not a list" in ask_raw("{}")["error"]
    assert "by" in refused(START, "move", components=["a"], by=["x", 1])
    assert "by" in refused(START, "move", components=["a"], by=[1e300, 1])
    assert "no component" in refused(START, "move", components=["zz"], by=[1, 1])
    assert "no class" in ask(START, {"op": "arrange"}, name="Other")["error"]
    computed = START.replace("{20,30}", "{2*10,30}")
    assert "computed" in refused(computed, "move", components=["b"], by=[1, 1])
    both = [{"op": "move", "components": ["a"], "by": [1, 1]}] * 2
    assert "same place" in ask(START, *both)["error"]
    broken = START.replace("k*time = 1;", "k*time = = 1;")
    assert "text" in ask(broken, {"op": "move", "components": ["a"], "by": [10, 0]})
    body = {"path": "../M.mo", "text": START, "class": "M", "operations": []}
    assert studio.call("POST", "/api/edit", body)[0] == 403


def ask_raw(operations):
    body = {"path": "M.mo", "text": START, "class": "M", "operations": {}}
    return studio.call("POST", "/api/edit", body)[1]


def test_lines_of_windows_and_byte_order_marks_stay():
    text = "\ufeff" + START.replace("\n", "\r\n")
    moved = edit(text, "move", components=["a"], by=[10, 0])
    assert moved.startswith("\ufeff") and moved.count("\r\n") == text.count("\r\n")
    assert edit(moved, "move", components=["a"], by=[-10, 0]) == text


# ---- pictures: where components and lines are, as the compiler draws them ----

SVG = "{http://www.w3.org/2000/svg}"


def numbers_of(group):
    path = group.find(SVG + "path").get("d")
    return [float(x) for x in re.findall(r"-?[\d.]+(?:e-?\d+)?", path)]


def middle(group):
    """The middle of the box of a component or connector, with y upward."""
    numbers = numbers_of(group)
    xs, ys = numbers[0::2], numbers[1::2]
    return (min(xs) + max(xs)) / 2, -(min(ys) + max(ys)) / 2


def ends(group):
    numbers = numbers_of(group)
    return (numbers[0], -numbers[1]), (numbers[-2], -numbers[-1])


def picture(text, name="M"):
    """Connectors with their places, connections with their ends."""
    body = {"path": name + ".mo", "open": [{"path": name + ".mo", "text": text}]}
    status, _, svg = studio.request("POST", "/api/diagram?class=" + name, json.dumps(body))
    assert status == 200, svg
    found = {}
    for g in xml.fromstring(svg).iter(SVG + "g"):
        if g.get("data-connector"):
            found[g.get("data-connector")] = middle(g)
        elif g.get("data-connection"):
            found[tuple(g.get("data-connection").split(" "))] = ends(g)
    return found


# ---- random edits ----


class Part:
    """A component by its centre, its half size and the images of its axes."""

    def __init__(self, x, y, w=10, h=10, right=(1, 0), up=(0, 1), r=None):
        self.x, self.y, self.w, self.h, self.right, self.up, self.r = x, y, w, h, right, up, r

    def pin(self, which):
        side = -1 if which == "p" else 1
        return self.x + side * self.w * self.right[0], self.y + side * self.w * self.right[1]

    def turn(self, quarters):
        for _ in range(quarters % 4):
            self.right, self.up = [(-y, x) for x, y in (self.right, self.up)]

    def mirror(self, axis):
        flip = (lambda v: (-v[0], v[1])) if axis == "horizontal" else (lambda v: (v[0], -v[1]))
        self.right, self.up = flip(self.right), flip(self.up)

    def size_on_page(self, w, h):
        self.w, self.h = (w, h) if self.right[0] else (h, w)

    def copy(self, dx, dy):
        return Part(self.x + dx, self.y + dy, self.w, self.h, self.right, self.up, self.r)


class Drawing:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.text = START
        self.parts = {
            "a": Part(-50, 0, r="2"),
            "b": Part(20, 30),
            "c": Part(70, 0, right=(-1, 0), up=(0, -1), r="3"),
        }
        self.wires = [("a.n", "b.p")]

    def some(self):
        names = sorted(self.parts)
        return self.random.sample(names, self.random.randint(1, min(3, len(names))))

    def grid(self):
        return self.random.randrange(-20, 21) * self.random.choice([5, 10])

    def change(self, op, **arguments):
        answer = ask(self.text, dict(arguments, op=op))
        assert "text" in answer, (self.text, op, arguments, answer)
        self.text = answer["text"]
        return answer

    def move(self):
        names, by = self.some(), [self.grid(), self.grid()]
        self.change("move", components=names, by=by)
        for name in names:
            self.parts[name].x += by[0]
            self.parts[name].y += by[1]

    def rotate(self):
        names, quarters = self.some(), self.random.choice([-1, 1, 2])
        self.change("rotate", components=names, by=90 * quarters)
        for name in names:
            self.parts[name].turn(quarters)

    def mirror(self):
        names, axis = self.some(), self.random.choice(["horizontal", "vertical"])
        self.change("mirror", components=names, axis=axis)
        for name in names:
            self.parts[name].mirror(axis)

    def resize(self):
        part = self.parts[name := self.some()[0]]
        w, h = self.random.choice([5, 10, 15, 20]), self.random.choice([5, 10, 25])
        x, y = self.grid(), self.grid()
        self.change("resize", component=name, extent=[x - w, y - h, x + w, y + h])
        part.x, part.y = x, y
        part.size_on_page(w, h)

    def add(self):
        x, y = self.grid(), self.grid()
        answer = self.change("add", **{"class": "Parts.Two", "at": [x, y]})
        self.parts[answer["names"][0]] = Part(x, y)

    def delete(self):
        names = self.some()[:1]
        if len(self.parts) < 4:
            return
        self.change("delete", components=names)
        del self.parts[names[0]]
        self.wires = [w for w in self.wires if names[0] not in (e.split(".")[0] for e in w)]

    def connect(self):
        two = self.random.sample(sorted(self.parts), 2)
        a, b = (name + "." + self.random.choice("pn") for name in two)
        if (a, b) in self.wires or (b, a) in self.wires:
            return
        self.change("connect", a=a, b=b)
        self.wires.append((a, b))

    def disconnect(self):
        if self.wires:
            wire = self.random.choice(self.wires)
            self.change("delete", connections=[list(wire)])
            self.wires.remove(wire)

    def route(self):
        if self.wires:
            a, b = self.random.choice(self.wires)
            points = [[self.grid(), self.grid()] for _ in range(self.random.randint(2, 6))]
            more = {} if self.random.random() < 0.3 else {"points": points}
            self.change("route", a=a, b=b, **more)

    def modify(self):
        name = self.some()[0]
        value = self.random.choice(["1", "2.5e-3", "k", "if k > 1 then 2 else 3", None])
        self.change("modify", component=name, name="R", value=value)
        self.parts[name].r = value

    def paste(self):
        if len(self.parts) > 12:
            return
        names = self.some()
        clip = ask(self.text, {"op": "copy", "components": names})["clip"]
        new = self.change("paste", clip=clip)["names"]
        for old, name in zip(names, new):
            self.parts[name] = self.parts[old].copy(0, 0)
        names_of = dict(zip(names, new))
        for a, b in list(self.wires):
            (one, p), (two, q) = a.split("."), b.split(".")
            if one in names_of and two in names_of:
                self.wires.append((names_of[one] + "." + p, names_of[two] + "." + q))

    def check(self):
        drawn = picture(self.text)
        for name, part in self.parts.items():
            for pin in "pn":
                x, y = drawn.pop(name + "." + pin)
                want = part.pin(pin)
                near = abs(x - want[0]) < 1e-3 and abs(y - want[1]) < 1e-3
                assert near, (name, pin, (x, y), want)
        assert sorted(drawn) == sorted(self.wires), (drawn, self.wires)
        for (a, b), found in drawn.items():
            for end, at in zip((a, b), found):
                name, pin = end.split(".")
                want = self.parts[name].pin(pin)
                assert abs(at[0] - want[0]) < 1e-3 and abs(at[1] - want[1]) < 1e-3, (
                    self.text, a, b, end, at, want
                )
        for i in range(1, 8):  # number 3 is inside the declaration of a
            assert (i == 3 and "a" not in self.parts) or "keep %d" % i in self.text, (i, self.text)


def test_random_edits_mean_what_was_drawn():
    kinds = ["move", "move", "rotate", "mirror", "resize", "add", "delete", "connect", "connect",
             "disconnect", "route", "modify", "paste"]
    for seed in range(int(os.environ.get("KAIROS_EDIT_SEEDS", "3"))):
        d = Drawing(seed)
        for step in range(30):
            kind = d.random.choice(kinds)
            getattr(d, kind)()
            try:
                d.check()
            except AssertionError:
                print("seed %d, step %d: %s\n%s" % (seed, step, kind, d.text))
                raise
        for name, part in d.parts.items():
            rows = studio.post("/api/component", path="M.mo", text=d.text, component=name,
                               **{"class": "M"})["parameters"]
            assert [r.get("value") for r in rows if r["name"] == "R"] == [part.r], (name, part.r)
        found = studio.post("/api/check", path="M.mo", text=d.text)["diagnostics"]
        syntax = [m for m in found if m["code"].startswith("S")]
        assert not syntax, (d.text, syntax)


# ---- libraries ----


# a line with the same corner twice: the edit removes both if the line is straight again
DOUBLED = re.compile(r"(\{-?[\d.]+,\s*-?[\d.]+\}),\s*\1")
PLACED = re.compile(r"^ +[\w.]+ (\w+)(?:\([^;]*?\))?[^;]*?Placement\(", re.M)


def library_classes(folder, count):
    files = sorted(glob.glob(os.path.join(folder, "Modelica", "**", "*.mo"), recursive=True))
    random.Random(1).shuffle(files)
    for path in files:
        with open(path, encoding="utf-8") as f:
            text = f.read()
        names = PLACED.findall(text)
        within = re.match(r"within ([\w.]+);", text)
        if names and within and not path.endswith("package.mo") and count > 0:
            count -= 1
            yield path, within[1] + "." + os.path.basename(path)[:-3], text, names


def there_and_back(path, name, text, one):
    """Moves a component and moves it back; the number of moves that could be made."""
    moves = 0
    for by in ([10, 0], [-14, 26]):  # the line of connectors that meet would lose its shape
        body = {"path": path, "class": name, "text": text}
        there = studio.post("/api/edit", operations=[
            {"op": "move", "components": [one], "by": by}], **body)
        if re.search("inherited|has no place|no component", there.get("error", "")):
            continue  # the name is one of an inner class
        assert "text" in there, (name, one, there)
        assert there["text"] != text, (name, one, there)
        body["text"] = there["text"]
        back = studio.post("/api/edit", operations=[
            {"op": "move", "components": [one], "by": [-by[0], -by[1]]}], **body)
        if not DOUBLED.search(text):
            assert back["text"] == text, (name, one, by)
        moves += 1
    return moves


def test_moving_there_and_back_leaves_library_classes_as_they_are():
    folder = os.environ.get("KAIROS_MSL")
    if not folder:
        return
    studio.stop()
    globals()["studio"] = type(studio)("ws", "--library", folder)
    moves = sum(there_and_back(path, name, text, random.Random(name).choice(names))
                for path, name, text, names in library_classes(folder, 200))
    assert moves >= 300, moves


def test_moving_there_and_back_in_our_own_library():
    """All classes of Hybrid and of the examples that have placed components."""
    top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    moves = 0
    for path in sorted(glob.glob(top + "/library/Hybrid/*.mo") + glob.glob(top + "/examples/*.mo")):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        if "Placement(" not in text:
            continue
        local = "Copy" + os.path.basename(path)
        write("ws/" + local, text)
        found = studio.post("/api/check", path=local, text=text)["classes"]
        for row in found:
            own = re.search(r"\b%s\b.*?\bend %s;" % ((row["name"].split(".")[-1],) * 2), text, re.S)
            names = PLACED.findall(own[0]) if own else []
            if names:
                moves += there_and_back(local, row["name"], text, names[0])
        os.remove("ws/" + local)
    assert moves >= 40, moves


run_tests(workspace)
