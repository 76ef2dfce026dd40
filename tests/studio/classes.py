"""The studio's answers about classes and models."""
import json, math, os, struct, subprocess, sys, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from client import Studio, run_tests
from program import write


def workspace():
    write(
        "ws/Top.mo",
        (
            'model Top "first"\n  Plant.Tank tank(area=3) "a tank";\nend Top;\nmodel Second "other"'
            " end Second;\n"
        ),
    )
    write(
        "ws/Plant/package.mo",
        """package Plant "a package"
  constant Real g = 9.81;
  annotation(Documentation(info="<html><b>all</b> about it</html>"), Icon(graphics={Rectangle(extent={{-100,-100},{100,100}})}));
end Plant;
""",
    )
    write("ws/Plant/Pump.mo", "within Plant;\nblock Pump output Real q = 1; end Pump;\n")
    write(
        "ws/Plant/Tank.mo",
        """within Plant;
model Tank "holds water"
  extends Base;
  parameter Real area(min=0) = 2 "floor";
  Real h(start=1, fixed=true, unit="m") "level";
equation
  area*der(h) = -h;
end Tank;
""",
    )
    write(
        "ws/Plant/Base.mo",
        "within Plant;\npartial model Base\n  protected parameter Real hidden = 1;\nend Base;\n",
    )
    write(
        "ws/lib/Ext.mo",
        """package Ext
  function add input Real x; output Real y; external "C" y = ext_add(x) annotation(Include="double ext_add(double x) { return x + 1; }"); end add;
  model M parameter Real p = 1; Real z = add(p*time); end M;
  model K parameter Real k = add(2); Real x[integer(k)] = fill(time, integer(k)); end K;
  model Sine Real s = mysin(time); function mysin input Real x; output Real y; external "C" y = sin(x); end mysin; end Sine;
end Ext;
""",
    )


def names(rows):
    return [r["name"] for r in rows]


def test_tree():
    rows = studio.get("/api/tree")
    assert names(rows)[:4] == ["Plant", "Top", "Second", "Ext"], names(rows)
    assert "Hybrid" in names(rows)
    plant = rows[0]
    assert (
        plant["has_children"]
        and plant["kind"] == "package"
        and plant["path"] == "Plant/package.mo"
        and plant["icon"]
    ), plant
    assert (rows[2]["path"], rows[2]["line"], rows[2]["description"], rows[2]["has_children"]) == (
        "Top.mo",
        4,
        "other",
        False,
    )
    rows = studio.get("/api/tree", **{"class": "Plant"})
    assert [(r["full"], r["kind"], r["partial"]) for r in rows] == [
        ("Plant.Base", "model", True),
        ("Plant.Pump", "block", False),
        ("Plant.Tank", "model", False),
    ], rows
    write("ws/Plant/package.order", "Tank\nPump\nBase\ng\n")
    assert names(studio.get("/api/tree", **{"class": "Plant"})) == ["Tank", "Pump", "Base"]
    assert studio.call("GET", "/api/tree?class=Nothing.There")[0] == 422
    assert names(studio.get("/api/tree", **{"class": "Hybrid"}))


def test_search():
    found = studio.get("/api/search", q="tank")
    assert found[0]["full"] == "Plant.Tank", found[:3]
    assert studio.get("/api/search", q="holds WATER")[0]["full"] == "Plant.Tank"
    assert studio.get("/api/search", q="bouncing ball")
    assert (
        studio.get("/api/search", q="") == []
        and studio.get("/api/search", q="nosuchclassanywhere") == []
    )
    write("ws/Fresh.mo", "model Freshest end Freshest;")
    studio.get("/api/files")
    assert studio.get("/api/search", q="freshest")[0]["path"] == "Fresh.mo", "the index is old"
    os.unlink("ws/Fresh.mo")
    assert studio.call("GET", "/api/search")[0] == 400


def test_class():
    c = studio.get("/api/class", name="Plant.Tank")
    assert (
        c["extends"] == ["Plant.Base"]
        and c["text"].startswith("model Tank")
        and c["path"] == "Plant/Tank.mo"
    ), c
    parts = {x["name"]: x for x in c["components"]}
    assert (
        parts["area"]["kind"] == "parameter"
        and parts["area"]["value"] == "2"
        and parts["area"]["line"] == 4
    ), parts
    assert (
        parts["hidden"]["inherited"]
        and parts["hidden"]["protected"]
        and parts["hidden"]["path"] == "Plant/Base.mo"
    )
    assert (
        studio.get("/api/class", name="Plant")["documentation"]
        == "<html><b>all</b> about it</html>"
    )
    assert studio.call("GET", "/api/class?name=Nothing")[0] == 404
    assert studio.call("GET", "/api/class")[0] == 404
    c = studio.post(
        "/api/class",
        name="New",
        path="New.mo",
        open=[{"path": "New.mo", "text": 'model New "unsaved" end New;'}],
    )
    assert c["description"] == "unsaved"


def test_diagram():
    status, headers, body = studio.request("GET", "/api/diagram?class=Plant&kind=icon")
    assert (
        status == 200
        and headers["content-type"] == "image/svg+xml"
        and b"<svg" in body
        and b"stroke" in body
    ), body
    open_ = [
        {
            "path": "D.mo",
            "text": (
                "model D Plant.Tank t"
                " annotation(Placement(transformation(extent={{0,0},{10,10}}))); end D;"
            ),
        }
    ]
    status, _, body = studio.request(
        "POST", "/api/diagram?class=D&kind=diagram", json.dumps({"open": open_})
    )
    assert status == 200 and b'data-component="t"' in body and b'data-path="D.mo"' in body, body
    assert studio.request("GET", "/api/diagram?class=Nothing")[0] == 422


def complete(text, **more):
    """Labels at the bar in the text."""
    before = text.split("|")[0]
    answer = studio.post(
        "/api/complete",
        path="C.mo",
        text=text.replace("|", ""),
        line=before.count("\n") + 1,
        column=len(before.split("\n")[-1]) + 1,
        **more
    )
    return {i["label"]: i for i in answer["items"]}, answer["from"]


def test_completion():
    items, place = complete("model C\n  Plant.Ta|\nend C;\n")
    assert (
        list(items) == ["Tank"]
        and items["Tank"]["kind"] == "model"
        and place == {"line": 2, "column": 9}
    ), items
    items, _ = complete("model C\n  Plant.Tank t;\nequation\n  t.|\nend C;\n")
    assert (
        {"h", "area"} <= set(items)
        and "hidden" not in items
        and items["h"]["detail"] == "Real: level"
    ), items
    items, _ = complete("model C\n  Plant.Tank t[3];\n  Real x = t[1].h| + 1;\nend C;\n")
    assert "h" in items, items
    items, _ = complete(
        "model C\n  parameter Real gain = 1;\n  Real x;\nequation\n  x = ga|\nend C;\n"
    )
    assert items["gain"]["kind"] == "parameter", items
    items, _ = complete("model C\n  Plant.Tank t(|);\nend C;\n")
    assert items["area"]["insert"] == "area=", items
    assert set(items) == {"area", "h", "each", "final", "redeclare", "replaceable"}, sorted(items)
    items, _ = complete("model C\n  Plant.Tank t(area=3, h(st|));\nend C;\n")
    assert "start" in items, items
    items, _ = complete("model C\n  Real x(sta|\nend C;\n")
    assert items["start"]["kind"] == "attribute", items
    items, _ = complete("model C\n  Real x;\nequation\n  wh|\nend C;\n")
    assert items["when"]["kind"] == "keyword", items
    items, _ = complete("model C\n  Hyb|\nend C;\n")
    assert "Hybrid" in items
    items, _ = complete(
        "model C\n  Oth|\nend C;\n", open=[{"path": "O.mo", "text": "model Other end Other;"}]
    )
    assert "Other" in items
    for text in (
        "|",
        "a|",
        "model C x.|",
        "((((((|",
        "model C Real x(((|",
        '"\n|',
        "model C\n  x[.]].|\nend C;",
        "end|;",
        "..|",
        ".|",
    ):
        complete(text)
    assert studio.call("POST", "/api/complete", {"path": "C.mo", "text": "x"})[0] == 400
    assert (
        studio.call(
            "POST", "/api/complete", {"path": "C.mo", "text": "x", "line": 99, "column": 99}
        )[0]
        == 200
    )
    assert (
        studio.call(
            "POST", "/api/complete", {"path": "C.mo", "text": "x", "line": -1, "column": 1e99}
        )[0]
        == 400
    )


def test_hover():
    text = "model C\n  Plant.Tank t;\n  Real x = t.area;\nend C;\n"
    h = studio.post("/api/hover", path="C.mo", text=text, line=3, column=15)
    assert (h["name"], h["kind"], h["type"], h["description"], h["path"], h["line"]) == (
        "area",
        "parameter",
        "Real",
        "floor",
        "Plant/Tank.mo",
        4,
    ), h
    h = studio.post("/api/hover", path="C.mo", text=text, line=2, column=11)
    assert h["name"] == "Plant.Tank" and h["path"] == "Plant/Tank.mo", h
    h = studio.post("/api/hover", path="C.mo", text=text, line=3, column=13)
    assert h["name"] == "t" and h["type"] == "Plant.Tank" and h["path"] == "C.mo", h
    assert studio.call(
        "POST", "/api/hover", {"path": "C.mo", "text": text, "line": 1, "column": 6}
    ) == (200, None)


def test_equations():
    text = (
        "model E\n  Real x(start=1, fixed=true), y, z;\nequation\n  der(x) = -y;\n  y + z = x;\n "
        " y^3 = z;\nend E;\n"
    )
    e = studio.post("/api/equations", path="E.mo", open=[{"path": "E.mo", "text": text}])
    assert (
        e["n"] == 3
        and e["states"] == ["x"]
        and sorted(e["unknowns"]) == ["der(x)", "y", "z"]
        and not e["capped"]
    ), e
    block = [b for b in e["blocks"] if b["size"] == 2][0]
    assert (
        block["kind"] == "nonlinear"
        and len(block["torn"]) == 1
        and sorted(block["unknowns"]) == ["y", "z"]
    ), block
    lines = sorted(e["equations"][i]["line"] for i in block["equations"])
    assert lines == [5, 6] and all(e["equations"][i]["path"] == "E.mo" for i in range(3)), e[
        "equations"
    ]
    cells = {tuple(c) for c in e["incidence"]}
    assert all((i, i) in cells for i in range(3)) and len(cells) == 6, cells
    m = studio.compile(text, "E.mo")
    assert studio.get("/api/equations", model=m["model"])["n"] == 3
    assert studio.call("GET", "/api/equations?model=9999")[0] == 410
    status, answer = studio.call("GET", "/api/equations?class=Nothing")
    assert status == 422 and answer["diagnostics"], answer


def test_why():
    text = (
        "model F\n  Real x(start=0, fixed=true), y(start=1);\nequation\n  der(x) = 1;\n  y*y = 0.5"
        " - x;\nend F;\n"
    )
    events = studio.events()
    m = studio.compile(text, "F.mo")
    run = studio.post("/api/run", model=m["model"], keep=True)["run"]
    end = events.wait("end", run=run)
    why = end["why"]
    assert end["status"] == "failed" and end["message"] and why["equations"][0]["line"] == 5, end
    assert why["equations"][0]["path"] == "F.mo" and why["variables"][0]["name"] == "y", why
    assert abs(end["time"] - 0.5) < 0.02, end["time"]
    assert studio.get("/api/data", run=run, names="y")["columns"][1]
    events.close()


def test_class_named_other_than_its_file():
    write("ws/Fresh.mo", "model Buck \"renamed\" Real x = 1; end Buck;")
    studio.get("/api/files")  # the studio sees the file
    assert studio.get("/api/class", name="Buck")["description"] == "renamed"
    status, _, svg = studio.request("POST", "/api/diagram?class=Buck", "{}")
    assert status == 200 and b"<svg" in svg, svg
    status, answer = studio.call("GET", "/api/class?name=Bucks")
    assert status == 404 and "Bucks" in answer["error"], answer
    write("ws/Boost.mo", "model Other Real x = 1; end Other;")  # not the file of Boost
    write("ws/Fresh2.mo", "model Boost \"elsewhere\" Real x = 1; end Boost;")
    studio.get("/api/files")
    assert studio.get("/api/class", name="Boost")["description"] == "elsewhere"


def test_lanes():
    m = studio.compile(
        "model S Boolean b(start=false, fixed=true); equation when sample(0.25, 0.25) then b = not"
        " pre(b); end when; end S;"
    )
    run = studio.run(m, stop=0.9)["run"]
    lanes = studio.get("/api/lanes", run=run)
    spans = [[0, 0.25, False], [0.25, 0.5, True], [0.5, 0.75, False], [0.75, 0.9, True]]
    assert lanes == {"until": 0.9, "lanes": [{"name": "b", "spans": spans}]}, lanes
    part = studio.get("/api/lanes", run=run, **{"from": 0.3, "to": 0.6})["lanes"][0]["spans"]
    assert part == spans[1:3], part
    assert studio.get("/api/marks", run=run) == [0.25, 0.5, 0.75]
    m = studio.compile("model N Real x = time; end N;")
    run = studio.run(m)["run"]
    assert studio.get("/api/lanes", run=run)["lanes"] == []
    assert studio.get("/api/marks", run=run) == []


def test_measure():
    """A jump between the times, a constant, the ends of the run; mistakes are said."""
    m = studio.compile(
        "model M Real y = 2 * time + (if time > 0.5 then 1 else 0); parameter Real k = -3; end M;"
    )
    run = studio.run(m, stop=1)["run"]

    def measure(start, stop, names="y;k;nothing"):
        return studio.get("/api/measure", run=run, names=names, **{"from": start, "to": stop})

    y, k, nothing = measure(0.25, 0.75)["variables"]
    exact = dict(first=0.5, last=2.5, difference=2, slope=4, min=0.5, max=2.5, mean=1.5)
    exact.update(integral=0.75, rms=(17 / 6) ** 0.5)
    for name, value in exact.items():
        assert abs(y[name] - value) < 1e-9, (name, y)
    assert y["period"] is None, y
    assert (k["mean"], k["rms"], k["integral"], k["slope"]) == (-3, 3, -1.5, 0), k
    assert "no such variable" in nothing["error"], nothing
    whole = measure(-5, 7)
    assert (whole["from"], whole["to"]) == (0, 1), whole
    status, answer = studio.call("GET", "/api/measure?run=%d&names=y&from=0.5&to=0.5" % run)
    assert status == 400 and "different times" in answer["error"], answer
    status, answer = studio.call("GET", "/api/spectrum?run=%d&name=nothing" % run)
    assert status == 422 and "nothing" in answer["error"], answer


SHAPES = """package ModelicaServices package Animation
  model Shape parameter String shapeType = "box"; input Real r[3] = {0, 0, 0};
    input Real length = 1; end Shape;
end Animation; end ModelicaServices;
model M
  model Ball extends ModelicaServices.Animation.Shape(shapeType = kind); parameter String kind =
    "sphere"; end Ball;
  Ball b[2](r = {{time, 0, 0}, {0, 2 * time, 0}}, length = {3, 4});
  ModelicaServices.Animation.Shape off if false;
end M;"""


def test_scene():
    """Shapes are found by class, also in arrays; constants have values, the rest columns."""
    run = studio.run(studio.compile(SHAPES), stop=1)["run"]
    scene = studio.get("/api/scene", run=run)
    shapes = scene["visuals"]
    assert [(one["name"], one["kind"], one["shape"]) for one in shapes] == [
        ("b[1]", "shape", "sphere"),
        ("b[2]", "shape", "sphere"),
    ], shapes
    assert shapes[0]["R.T"] == [None] * 9, "this Shape has no orientation"
    status, _, answer = studio.request("GET", "/api/frames?run=%d&at=0.5" % run, None)
    numbers = struct.unpack("<%dd" % (len(answer) // 8), answer)
    count, width = int(numbers[0]), int(numbers[1])
    assert (status, count, width) == (200, 2, scene["columns"]), numbers[:3]
    row = numbers[3 : 3 + width]

    def value(x):
        return row[int(x[1:])] if isinstance(x, str) else x

    assert [value(x) for x in shapes[1]["r"]] == [0, 2 * row[0], 0] and abs(row[0] - 0.5) < 0.01
    assert [value(one["length"][0]) for one in shapes] == [3, 4]
    run = studio.run(studio.compile("model N Real x = time; end N;"))["run"]
    assert studio.get("/api/scene", run=run)["visuals"] == []
    assert studio.call("GET", "/api/scene?run=99999")[0] == 404


SURFACES = """package ModelicaServices package Animation
  partial function Points input Integer nu; input Integer nv;
    input Boolean multiColoredSurface = false;
    output Real X[nu, nv]; output Real Y[nu, nv]; output Real Z[nu, nv];
    output Real C[if multiColoredSurface then nu else 0, if multiColoredSurface then nv else 0, 3];
  end Points;
  model Surface parameter Integer nu = 2; parameter Integer nv = 2;
    parameter Boolean multiColoredSurface = false;
    input Real r_0[3] = {0, 0, 0};
    replaceable function surfaceCharacteristic = Points;
  end Surface;
end Animation; end ModelicaServices;
model M
  function wave extends ModelicaServices.Animation.Points; input Real a; input Real t[2];
  algorithm
    for i in 1:nu loop for j in 1:nv loop
      X[i, j] := i; Y[i, j] := 10 * j; Z[i, j] := a * i * j + t[1] + t[2];
      if multiColoredSurface then C[i, j, :] := {i, j, 255}; end if;
    end for; end for;
  end wave;
  model Wave parameter Real a = 1; Real h[2] = {a * time, 100};
    ModelicaServices.Animation.Surface s(nu = 3, nv = 4, multiColoredSurface = true,
      redeclare function surfaceCharacteristic = wave(a = a, t = h));
  end Wave;
  Wave w[2](a = {1, 2});
  ModelicaServices.Animation.Surface rest(redeclare function surfaceCharacteristic =
    wave(a = 1, t = {0, 0}));
  ModelicaServices.Animation.Surface without;
  Real y(start = 1, fixed = true) = der(v);
  Real v(start = 0, fixed = true) = -der(y);
end M;"""


def test_surfaces():
    """Points of surfaces are those of their function, with the values of the run at that time."""
    model = studio.compile(SURFACES)
    assert len(model["variables"]) < 60, "points are no variables"
    run = studio.run(model, stop=1, settings={"w[2].a": 3})["run"]
    scene = studio.get("/api/scene", run=run)["visuals"]
    kinds = {one["name"]: one.get("points") for one in scene}
    assert kinds == {"w[1].s": "varying", "w[2].s": "varying", "rest": "fixed", "without": None}

    def check(surface, a, time):
        assert (surface["nu"], surface["nv"]) == (3, 4), surface
        grid = [(i, j) for i in (1, 2, 3) for j in (1, 2, 3, 4)]
        assert surface["x"] == [i for i, _ in grid] and surface["y"] == [10 * j for _, j in grid]
        for z, (i, j) in zip(surface["z"], grid):
            assert abs(z - (a * i * j + a * time + 100)) < 1e-4, (z, i, j)
        assert surface["c"] == [x for i, j in grid for x in (i, j, 255)], surface["c"]

    answer = studio.get("/api/surfaces", run=run, at=0.5)
    assert abs(answer["time"] - 0.5) < 0.01 and len(answer["surfaces"]) == 2, answer
    for surface, a in zip(answer["surfaces"], (1, 3)):
        check(surface, a, answer["time"])
    every = studio.get("/api/surfaces", run=run, at=2, all=1)
    assert [one["name"] for one in every["surfaces"]] == ["w[1].s", "w[2].s", "rest"], every
    assert every["time"] == 1 and every["surfaces"][2]["z"] == [1, 2, 2, 4], every
    assert studio.call("GET", "/api/surfaces?run=99999")[0] == 404
    long = studio.post("/api/run", model=model["model"], keep=True, stop=1e9)["run"]
    deadline = time.monotonic() + 20
    while studio.call("GET", "/api/surfaces?run=%d&at=1" % long)[0] != 200:
        assert time.monotonic() < deadline, "no answer while the run goes on"
    states = {one["run"]: one["status"] for one in studio.get("/api/state")["runs"]}
    assert states[long] == "running", states
    studio.post("/api/stop", run=long)
    studio.call("DELETE", "/api/model?id=%d" % model["model"])
    status, answer = studio.call("GET", "/api/surfaces?run=%d&at=0.5" % run)
    assert status == 410 and "run it again" in answer["error"], answer


def test_many_events_are_true_at_every_zoom():
    """80,000 changes: whole, the lane has no value; at the end of the run, it has the right one."""
    m = studio.compile(
        "model S Boolean b(start=false, fixed=true); discrete Real x(start=0, fixed=true);"
        " equation when sample(0, 25e-6) then b = not pre(b); x = pre(x) + 0.5; end when; end S;"
    )
    run = studio.run(m, stop=2)["run"]
    lanes = studio.get("/api/lanes", run=run, points=500)["lanes"]
    assert [lane["name"] for lane in lanes] == ["b"], lanes
    assert len(lanes[0]["spans"]) <= 501 and lanes[0]["spans"][1][2] is None, lanes[0]["spans"][:3]
    marks = studio.get("/api/marks", run=run, points=500)
    assert 400 <= len(marks) <= 501 and marks[-1] > 1.99, marks[-3:]
    # the change number k is at 25e-6*k and makes b true for even k
    near = {"from": 1.9, "to": 1.90011}
    spans = studio.get("/api/lanes", run=run, **near)["lanes"][0]["spans"]
    for start, end, value in spans:
        assert value == (round(start / 25e-6) % 2 == 0), (start, value)
        assert abs(end - start - 25e-6) < 1e-9, (start, end)
    marks = studio.get("/api/marks", run=run, **near)
    assert len(marks) == 5 and abs(marks[0] - 1.9) < 1e-9, marks


def test_export():
    text = (
        'model X Real x(start=1, fixed=true, unit="m"); Real m[1,2]; equation der(x) = -x; m = [x,'
        " 2*x]; end X;"
    )
    m = studio.compile(text)
    runs = [
        studio.run(m)["run"],
        studio.post("/api/run", model=m["model"], wait=20000, settings={"x.start": 2})["run"],
    ]
    for run in runs:
        status, headers, body = studio.request(
            "GET", "/api/export?run=%d&format=csv&names=x;m[1,2]" % run
        )
        lines = body.decode().split("\r\n")
        assert status == 200 and lines[0] == 'time,x,"m[1,2]"' and len(lines) == 503, lines[:2]
        assert (
            "attachment" in headers["content-disposition"]
            and ".csv" in headers["content-disposition"]
        )
        for form, start in (("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
            status, _, body = studio.request(
                "GET", "/api/export?run=%d&format=%s&names=x" % (run, form)
            )
            assert status == 200 and body.startswith(start), (form, status, body[:100])
    assert b"x\0" in studio.request("GET", "/api/export?run=%d&format=mat" % runs[0])[2]
    assert studio.request("GET", "/api/export?run=%d&format=mat" % runs[1])[0] == 409
    with open("x.h5", "wb") as f:
        f.write(studio.request("GET", "/api/export?run=%d&format=h5" % runs[1])[2])
    script = "import h5py; f = h5py.File('x.h5'); x = f['x']; print(len(x), len(f['m[1,2]']), x[0],"
    script += "x[-1], x.attrs['unit'], list(f['constants']))"
    read = subprocess.run(["/usr/bin/python3", "-c", script], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    words = read.stdout.split()
    assert words[:3] == ["501", "501", "2.0"] and words[4] == "m", read.stdout
    assert abs(float(words[3]) - 2 * math.exp(-1)) < 1e-5, read.stdout
    more = "&names=x&x=m[1,2]&overlay=%d&from=0.1&to=0.5" % runs[1]
    assert studio.request("GET", "/api/export?run=%d&format=svg%s" % (runs[0], more))[0] == 200
    assert studio.request("GET", "/api/export?run=%d&format=exe" % runs[0])[0] == 400
    assert studio.request("GET", "/api/export?run=%d&format=svg&names=nonsense" % runs[0])[0] == 422


def test_external_code():
    answer = studio.post(
        "/api/check", path="lib/Ext.mo", text=open("ws/lib/Ext.mo").read(), **{"class": "Ext.K"}
    )
    assert any("external code is off" in d["message"] for d in answer["diagnostics"]), answer
    status, answer = studio.call("POST", "/api/model", {"class": "Ext.M", "path": "lib/Ext.mo"})
    assert status == 422 and any(
        "--allow-external" in d["message"] for d in answer["diagnostics"]
    ), answer
    m = studio.post("/api/model", path="lib/Ext.mo", **{"class": "Ext.Sine"})
    assert studio.run(m)["status"] == "done", "mathematics is refused"
    other = Studio("ws", "--allow-external")
    m = other.post("/api/model", path="lib/Ext.mo", **{"class": "Ext.M"})
    r = other.run(m, watch=["z"])
    assert r["status"] == "done" and r["columns"][1][-1] == 2, r
    assert other.stop() == 0


def test_changed_library():
    write("libs/Lib/package.mo", "package Lib end Lib;\n")
    write("libs/Lib/A.mo", "within Lib;\nmodel A Real x = 1; end A;\n")
    other = Studio("ws", "--library", "libs")

    def check(name):
        text = "model U extends Lib.A; Real z = %s; end U;" % name
        return [
            d["message"] for d in other.post("/api/check", path="U.mo", text=text)["diagnostics"]
        ]

    assert check("x") == [] and check("x") == [] and check("y") != []
    file = other.get("/api/file", path=os.path.abspath("libs/Lib/A.mo"))
    assert file["read_only"] and "model A" in file["text"], file
    assert (
        other.call(
            "PUT", "/api/file", {"path": os.path.abspath("libs/Lib/A.mo"), "text": "x", "base": "*"}
        )[0]
        == 403
    )
    write("libs/Lib/A.mo", "within Lib;\nmodel A Real y = 1; end A;\n")
    assert check("y") == [] and check("x") != [], "a changed library is not read again"
    assert other.stop() == 0


def test_pictures():
    os.makedirs("ws/Plant/Resources/Images", exist_ok=True)
    with open("ws/Plant/Resources/Images/p.png", "wb") as f:
        f.write(b"\x89PNG picture")
    for uri in (
        "modelica://Plant/Resources/Images/p.png",
        "modelica://Plant.Tank/Resources/Images/p.png",
    ):
        status, headers, body = studio.request("GET", "/api/resource?uri=" + uri)
        assert (status, headers["content-type"], body) == (200, "image/png", b"\x89PNG picture"), (
            uri,
            status,
            body,
        )
    for uri in (
        "modelica://Plant/../Top.png",
        "modelica://Plant/Resources/Images/none.png",
        "modelica://Nothing/a.png",
        "modelica://../a.png",
        "modelica:///etc/a.png",
        "modelica://Plant//etc/a.png",
        "modelica://.../a.png",
        "modelica://'..'/a.png",
    ):
        assert studio.request("GET", "/api/resource?uri=" + uri)[0] == 404, uri
    for uri in (
        "",
        "modelica://Plant/package.mo",
        "file:///etc/passwd.png",
        "modelica://Plant",
        "/etc/x.png",
    ):
        assert studio.request("GET", "/api/resource?uri=" + uri)[0] == 400, uri


def test_notations():
    text = "model class Decay\n  local x\n  init x = 1\n  der(x) = -x\nend\n"
    status, answer = studio.call("POST", "/api/check", {"path": "Decay.dym", "text": text})
    assert status == 200, answer


run_tests(workspace)
