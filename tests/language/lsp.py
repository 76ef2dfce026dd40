"""kairos lsp: a scripted editor. Positions are computed from marks in the texts."""
import os, time

from client import Editor, position, uri
import program
from program import check, write

SMALL = """package P "a package"
  type Volt = Real(unit="V");
  function f "doubles"
    input Real u "in";
    input Real k=2 "factor";
    output Real y;
  algorithm
    y := k*u;
  end f;
  partial model Base "base"
    parameter Volt v0=2*3 "initial";
    Volt v(start=v0, fixed=true) "voltage";
  end Base;
  model M "m"
    extends Base(v0=4);
    Real x[:]={1,2,3};
  equation
    der(v) = -v + f(sum(x[i] for i in 1:3), k=3);
  end M;
end P;
"""


def span(text, mark, offset=0, length=1):
    line, character = position(text, mark, offset)
    return {
        "start": {"line": line, "character": character},
        "end": {"line": line, "character": character + length},
    }


def opened(text=SMALL, **more):
    write("P.mo", text)
    e = Editor(root=".", **more)
    e.open("P.mo")
    return e


def apply(text, edits):
    """The text after edits, which do not overlap; characters are ASCII."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def offset(p):
        if p["line"] >= len(lines):
            return len(text)
        return starts[p["line"]] + min(p["character"], len(lines[p["line"]]))

    for e in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        text = (
            text[: offset(e["range"]["start"])] + e["newText"] + text[offset(e["range"]["end"]) :]
        )
    return text


def code(answer):
    return answer.get("error", {}).get("code") if isinstance(answer, dict) else None


# ---- the protocol ----


def test_lifecycle():
    e = Editor(begin=False)
    check("not initialized", code(e.ask("textDocument/hover")) == -32002)
    e.notify("textDocument/didOpen", {})
    info = e.ask("initialize", {"capabilities": {}, "processId": None, "rootUri": None})
    check("it names itself", info["serverInfo"]["name"] == "kairos", info)
    check("positions in UTF-16", info["capabilities"]["positionEncoding"] == "utf-16")
    check("twice", code(e.ask("initialize", {"capabilities": {}})) == -32600)
    check("no such method", code(e.ask("textDocument/nothing")) == -32601)
    e.notify("$/nothing")
    check("shutdown", e.ask("shutdown") is None)
    check("after shutdown", code(e.ask("textDocument/hover")) == -32600)
    e.notify("exit")
    check("status after shutdown", e.close() == 0)
    e = Editor(begin=False)
    check("status without shutdown", e.close() == 1)


def test_malformed():
    e = Editor()

    def error():
        return e.wait(lambda m: m.get("id", 0) is None and "error" in m)["error"]["code"]

    e.write(b"Content-Length: 5\r\n\r\n{]}[1")
    check("not JSON", error() == -32700)
    e.write(b"Content-Length: many\r\n\r\n")
    check("a wrong header", error() == -32700)
    e.write(b"Content-Type: x\r\n\r\n{}")
    check("no length", error() == -32700)
    e.write(b"X" * 5000)
    check("no header", error() == -32700)
    e.send([])
    check("a batch", error() == -32600)
    e.send({"jsonrpc": "2.0", "id": {"a": 1}, "method": "shutdown"})
    check("a wrong id", error() == -32600)
    e.send({"id": 77, "method": "shutdown"})
    m = e.wait(lambda m: m.get("id") == 77)
    check("no version", m["error"]["code"] == -32600)
    e.write(b"Content-Length: 100000000\r\n\r\n" + b" " * 100000000)
    check("too large", error() == -32600)
    e.write(b"Content-Type: x\r\ncontent-length: 2\r\n\r\n{}")
    check("headers in any order and case", error() == -32600)
    check("unknown document", code(e.at("hover", "none.mo", 0, 0)) == -32602)
    check("no parameters", code(e.ask("textDocument/hover", {})) == -32602)
    check("alive", e.end() == 0)


def test_synchronization():
    e = opened("model A\n  Real x;\nequation\n  x = 1;\nend A;\n")
    check("no problems", e.problems("P.mo") == [])
    e.change("P.mo", "y", (1, 7), (1, 8))
    check("an edit of a range", e.problems("P.mo")[0]["code"] == "I001")
    e.versions["P.mo"] = 1
    e.change("P.mo", "z", (1, 7), (1, 8))  # version 2 again
    log = e.wait(lambda m: m.get("method") == "window/logMessage")
    check("an old version is refused", "version" in log["params"]["message"], log)
    e.versions["P.mo"] = 2
    e.change("P.mo", "x", (1, 7), (1, 99))
    check("a character behind the line", e.problems("P.mo")[0]["code"] == "S002")
    e.change("P.mo", ";", (1, 8), (1, 8))
    check("mended", e.problems("P.mo") == [])
    e.change("P.mo", "\n// end\n", (999, 0), (999, 5))
    check("a line behind the text", e.problems("P.mo") == [])
    e.notify(
        "textDocument/didChange",
        {
            "textDocument": {"uri": uri("P.mo"), "version": 50},
            "contentChanges": [
                {"text": "model A\n  Real x;\nend A;"},
                {
                    "text": " = 1",
                    "range": {
                        "start": {"line": 1, "character": 8},
                        "end": {"line": 1, "character": 8},
                    },
                },
            ],
        },
    )
    check("several changes in one message", e.problems("P.mo", 50) == [])
    e.close_document("P.mo")
    check("closed", e.problems("P.mo") == [])
    e.end()


def test_utf16():
    text = 'model A "\U0001f600ä"\n  Real x "\U0001f600" = 1; Real yy = xx;\nend A;\n'
    text = text.replace('x "\U0001f600" = 1', 'x = 1 "\U0001f600"')
    e = opened(text)
    problem = e.problems("P.mo")[0]
    check("characters beyond the first plane", problem["range"] == span(text, "xx", 0, 2), problem)
    line, character = position(text, "yy")
    answer = e.at("hover", "P.mo", line, character + 1)
    check("hover behind them", answer["range"] == span(text, "yy", 0, 2), answer)
    e.change("P.mo", "x", position(text, "xx"), position(text, "xx", 2))
    check("an edit behind them", e.problems("P.mo") == [])
    e.end()


def test_line_ends():
    text = SMALL.replace("\n", "\r\n")
    for mark in ("", "\ufeff"):
        e = opened(mark + text)
        check("CR LF", e.problems("P.mo") == [])
        line, character = position(SMALL, "der(v)", 4)
        place = e.at("definition", "P.mo", line, character)
        check("a place", place["range"]["start"]["line"] == 11)
        edits = e.about("formatting", "P.mo", options={})
        check("the line ends stay", [x["newText"][-2:] for x in edits] == ["\r\n"], edits)
        e.change("P.mo", "model", (13, 2), (13, 7))
        check("an edit", e.problems("P.mo") == [])
        e.end()


# ---- problems ----


def test_problems():
    text = """model A
  Real x(start=1);
  Real y[3](start=2);
equation
  der(x) = -xx;
  der(y) = {1, 2, 3};
end A;
"""
    e = opened(text)
    problems = {p["code"]: p for p in e.problems("P.mo")}
    check("an unknown name", problems["I001"]["range"] == span(text, "xx", 0, 2), problems)
    check("it has a link", "I001" in problems["I001"]["codeDescription"]["href"])
    check("it is an error of kairos", problems["I001"]["severity"] == 1)
    actions = e.about("codeAction", "P.mo", range=span(text, "xx", 0, 2), context={})
    edit = actions[0]["edit"]["changes"][uri("P.mo")]
    check("did you mean", "der(x) = -x;" in apply(text, edit), actions)
    check("explain", "explain I001" in [a["title"] for a in actions])
    e.end()


def test_missing_fixed():
    """States that only a start value determines; a model with connectors of its own is a part of
    others, which may fix it."""
    text = """model A
  connector C Real e; flow Real f; end C;
  model Part C c; Real x(start=1); equation der(x) = c.f; c.e = x; end Part;
  Real x(start=1), y(start=2, fixed=true), z "unfixed";
  Real v[3](each start=1), i(fixed=false, start=3), k;
  S a, b(u(start=1 /* , ) */)), c[2], d(w(min=0)), e( );
  extends B;
initial equation
  k = 3;
equation
  der(x) = -x;
  der(y) = -y;
  der(z) = 1;
  der(v) = {1, 2, 3};
  der(i) = 1;
  der(k) = 1;
end A;
"""
    write("S.mo", "model S Real u(start=2); Real w=u; equation der(u) = -u; end S;\n")
    write("B.mo", "partial model B\n  Real q(start=1);\nequation\n  der(q) = 1;\nend B;\n")
    e = opened(text)
    problems = e.problems("P.mo")
    names = [p["message"].split("'")[1] for p in problems]
    expected = ["x", "z", "v[:]", "i", "a.u", "b.u", "c[:].u", "d.u", "e.u"]
    check("the states", sorted(names) == sorted(expected), problems)
    check("information", {(p["code"], p["severity"]) for p in problems} == {("T102", 3)}, problems)
    edits = []
    for p in problems:
        actions = e.about("codeAction", "P.mo", range=p["range"], context={"diagnostics": [p]})
        edits += [
            edit
            for a in actions
            if "edit" in a and a["diagnostics"] == [p]
            for edit in a["edit"]["changes"][uri("P.mo")]
        ]
    check("no fix if the model says fixed=false", len(edits) == len(expected) - 1, edits)
    text = apply(text, edits)
    for expected in (
        "x(fixed=true, start=1), y(start=2, fixed=true), z(fixed=true)",
        "v[3](each fixed=true, each start=1)",
        "a(u(fixed=true)), b(u(fixed=true, start=1 /* , ) */)), c[2](each u(fixed=true))",
        "d(u(fixed=true), w(min=0)), e(u(fixed=true) )",
    ):
        check("the fix writes %s" % expected, expected in text, text)
    e.change("P.mo", text)
    left = e.problems("P.mo")
    check("one is left", [p["message"].split("'")[1] for p in left] == ["i"], left)
    e.end()


def fixed(text):
    """The text after the first quick fix of its first problem."""
    e = opened(text)
    problem = e.problems("P.mo")[0]
    actions = e.about("codeAction", "P.mo", range=problem["range"], context={})
    result = apply(text, actions[0]["edit"]["changes"][uri("P.mo")])
    e.change("P.mo", result)
    left = e.problems("P.mo")
    e.end()
    return result, left


def test_quick_fixes():
    cases = [
        ("model A\n  Real x=1;\n  Real y\n  Real z;\nequation y = 1; z = 1;\nend A;\n", "Real y;"),
        ("model A\n  Real x;\nequation\n  x := 1;\nend A;\n", "x = 1;"),
        ("model A\n  Real x;\nalgorithm\n  x = 1;\nend A;\n", "x := 1;"),
        ("model A\n  Real y[2](start=2);\nequation\n  der(y) = {1, 2};\nend A;\n", "each start=2"),
        ("model A\n  Real speed = 1;\n  Real b = sped;\nend A;\n", "b = speed"),
    ]
    for text, expected in cases:
        result, left = fixed(text)
        check("the fix writes %s" % expected, expected in result, result)
        check("nothing is left", not [p for p in left if p["severity"] == 1], left)
    e = opened("model A\n  Missing.Thing x;\nend A;\n")
    problem = e.problems("P.mo")[0]
    actions = e.about("codeAction", "P.mo", range=problem["range"], context={})
    commands = [a["command"]["command"] for a in actions if "command" in a]
    check("a missing library", "kairos.addLibrary" in commands, actions)
    e.end()


def test_full_names():
    """Classes by their last names, also of a path that is no longer true."""
    write("L/package.mo", "package L\n  package New\n    type Size = Real;\n  end New;\nend L;\n")
    for wrong in ("Size", "L.Old.Size"):
        text = "model A\n  %s x=1;\nend A;\n" % wrong
        e = opened(text)
        problem = e.problems("P.mo")[0]
        for _ in range(200):  # until the classes are known
            actions = e.about("codeAction", "P.mo", range=problem["range"], context={})
            edits = {a["title"]: a["edit"]["changes"][uri("P.mo")] for a in actions if "edit" in a}
            if "replace by 'L.New.Size'" in edits:
                break
            time.sleep(0.05)
        result = apply(text, edits.get("replace by 'L.New.Size'", []))
        check("the full name of %s" % wrong, "  L.New.Size x=1;" in result, actions)
        e.end()


def test_across_files():
    """A package in a folder: an unsaved change of one file is seen in the other at once."""
    write("Q/package.mo", "package Q\nend Q;\n")
    one = "within Q;\nmodel A\n  parameter Real a=1;\nend A;\n"
    two = "within Q;\nmodel B\n  A part(a=2);\n  Real y = part.a;\nend B;\n"
    write("Q/A.mo", one)
    write("Q/B.mo", two)
    e = Editor(root=".")
    e.open("Q/A.mo")
    e.open("Q/B.mo")
    check("A is good", e.problems("Q/A.mo") == [])
    check("B is good", e.problems("Q/B.mo") == [])
    e.change("Q/A.mo", "b", position(one, "a=1"), position(one, "a=1", 1))
    codes = [p["code"] for p in e.problems("Q/B.mo")]
    check("B shows the change of A", codes and codes[0].startswith("I"), codes)
    e.change("Q/A.mo", one)
    check("and that it is undone", e.problems("Q/B.mo") == [])
    edits = e.at("rename", "Q/A.mo", *position(one, "a=1"), newName="area")["documentChanges"]
    texts = {c["textDocument"]["uri"]: c["edits"] for c in edits}
    check("both files change", set(texts) == {uri("Q/A.mo"), uri("Q/B.mo")}, edits)
    check("A", "Real area=1" in apply(one, texts[uri("Q/A.mo")]))
    changed = apply(two, texts[uri("Q/B.mo")])
    check("B", "part(area=2)" in changed and "y = part.area" in changed, changed)
    places = e.at("references", "Q/B.mo", *position(two, "part.a", 5))
    check("references", len(places) == 3, places)
    write("Q/C.mo", "within Q;\nmodel C\n  extends A;\nend C;\n")
    e.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri("Q/C.mo"), "type": 1}]})
    places = e.at("implementation", "Q/A.mo", *position(one, "A\n"))
    check("a file that appeared", [p["uri"] for p in places] == [uri("Q/C.mo")], places)
    os.remove("Q/C.mo")
    check("a file that vanished", e.at("implementation", "Q/A.mo", *position(one, "A\n")) == [])
    e.end()


def published(e, path):
    """The problems that an editor shows: those of the last message, after a question."""
    e.about("foldingRange", "Q/B.mo")
    m = e.wait(lambda m: m.get("params", {}).get("uri") == uri(path))
    for other in [m for m in e.seen if m.get("params", {}).get("uri") == uri(path)]:
        e.seen.remove(other)
        m = other
    return m["params"]["diagnostics"]


def test_problems_of_another_file():
    """Two documents use a class with a mistake, which is shown in its file as long as one of them
    is open. Its own document decides when that is open."""
    bad = "within Q;\nmodel A\n  Real x = y;\nend A;\n"
    write("Q/package.mo", "package Q\nend Q;\n")
    write("Q/A.mo", bad)
    texts = {n: "within Q;\nmodel %s\n  A a;\nend %s;\n" % (n, n) for n in "BC"}
    e = Editor(root=".")
    for name in "BC":
        write("Q/%s.mo" % name, texts[name])
        e.open("Q/%s.mo" % name)
        check("no problem here", e.problems("Q/%s.mo" % name) == [])
    check("a problem in A", [p["code"] for p in published(e, "Q/A.mo")] == ["I001"])
    e.close_document("Q/C.mo")
    check("C is closed", e.problems("Q/C.mo") == [])
    check("A is still shown", [p["code"] for p in published(e, "Q/A.mo")] == ["I001"])
    e.open("Q/A.mo")
    check("A itself", [p["code"] for p in e.problems("Q/A.mo")] == ["I001"])
    e.change("Q/B.mo", "within Q;\nmodel B\nend B;\n")
    check("B without A", e.problems("Q/B.mo") == [])
    check("A keeps its problem", [p["code"] for p in published(e, "Q/A.mo")] == ["I001"])
    e.close_document("Q/A.mo")
    check("nobody has A", published(e, "Q/A.mo") == [])
    e.end()


def test_class_with_a_file():
    write("Q/package.mo", "package Q\nend Q;\n")
    write("Q/package.order", "Part\nUser\n")
    part = "within Q;\nmodel Part\nend Part;\n"
    user = "within Q;\nmodel User\n  Part p;\nend User;\n"
    write("Q/Part.mo", part)
    write("Q/User.mo", user)
    operations = {"workspace": {"workspaceEdit": {"resourceOperations": ["rename"]}}}
    for capabilities in ({}, operations):
        e = Editor(root=".", capabilities=capabilities)
        e.open("Q/Part.mo")
        answer = e.at("rename", "Q/Part.mo", *position(part, "Part"), newName="Piece")
        if not capabilities:
            check("only if the editor can rename files", code(answer) == -32803, answer)
        else:
            changes = answer["documentChanges"]
            texts = {c["textDocument"]["uri"]: c["edits"] for c in changes if "edits" in c}
            check("head and end", apply(part, texts[uri("Q/Part.mo")]).count("Piece") == 2)
            check("the use", "Piece p;" in apply(user, texts[uri("Q/User.mo")]))
            order = apply("Part\nUser\n", texts[uri("Q/package.order")])
            check("the order", order == "Piece\nUser\n", order)
            check("the file", changes[-1]["newUri"] == uri("Q/Piece.mo"), changes)
        e.end()


def test_libraries_are_not_renamed():
    write("lib/L/package.mo", "package L\n  model A\n    parameter Real a=1;\n  end A;\nend L;\n")
    text = "model M\n  L.A part(a=2);\nend M;\n"
    write("work/M.mo", text)
    e = Editor("--library", os.path.abspath("lib"), root="work")
    e.open("work/M.mo")
    check("the library is found", e.problems("work/M.mo") == [])
    answer = e.at("rename", "work/M.mo", *position(text, "a=2"), newName="b")
    check("refused", code(answer) == -32803 and "workspace" in answer["error"]["message"], answer)
    place = e.at("definition", "work/M.mo", *position(text, "a=2"))
    check("but found", place["uri"] == uri("lib/L/package.mo"), place)
    for name in ("1x", "end", "Real", "a b", ""):
        answer = e.at("rename", "work/M.mo", *position(text, "part"), newName=name)
        check("'%s' is no name" % name, code(answer) == -32803, answer)
    e.end()


# ---- answers ----


def test_places():
    e = opened()
    use = position(SMALL, "der(v)", 4)
    check(
        "definition",
        e.at("definition", "P.mo", *use) == {"uri": uri("P.mo"), "range": span(SMALL, "v(start")},
    )
    check("type", e.at("typeDefinition", "P.mo", *use)["range"] == span(SMALL, "Volt", 0, 4))
    ranges = [r["range"] for r in e.at("references", "P.mo", *use)]
    expected = [span(SMALL, "v(start"), span(SMALL, "der(v)", 4), span(SMALL, "-v", 1)]
    check("references", ranges == expected, ranges)
    kinds = [h["kind"] for h in e.at("documentHighlight", "P.mo", *use)]
    check("highlights", kinds == [3, 2, 2], kinds)
    ranges = [r["range"] for r in e.at("references", "P.mo", *position(SMALL, "x[i]", 2))]
    check("an index is local", ranges == [span(SMALL, "x[i]", 2), span(SMALL, "for i in", 4)])
    place = e.at("definition", "P.mo", *position(SMALL, "k=3"))
    check("a named argument", place["range"] == span(SMALL, "k=2"), place)
    place = e.at("definition", "P.mo", *position(SMALL, "v0=4"))
    check("a modifier", place["range"] == span(SMALL, "v0=2", 0, 2), place)
    places = e.at("implementation", "P.mo", *position(SMALL, "Base"))
    check("who extends", [p["range"] for p in places] == [span(SMALL, 'M "m"')], places)
    check("nothing", e.at("definition", "P.mo", 0, 0) is None)
    check("outside", e.at("hover", "P.mo", 4000000000, 4000000000) is None)
    check("no name", code(e.at("rename", "P.mo", *use)) == -32602)
    check("a new name", code(e.at("rename", "P.mo", *use, newName="v0")) == -32803)
    e.change("P.mo", SMALL)
    change = e.at("rename", "P.mo", *use, newName="volt")["documentChanges"][0]
    check("of this version", change["textDocument"]["version"] == 2, change)
    edits = change["edits"]
    expected = SMALL.replace("Volt v(", "Volt volt(").replace("der(v) = -v", "der(volt) = -volt")
    check("renamed", apply(SMALL, edits) == expected)
    e.end()


def test_texts():
    e = opened()
    hover = e.at("hover", "P.mo", *position(SMALL, "der(v)", 4))["contents"]["value"]
    check("hover", "Volt v" in hover and "unit `V`" in hover and "voltage" in hover, hover)
    hover = e.at("hover", "P.mo", *position(SMALL, "v0=2"))["contents"]["value"]
    check("a value", "value `6`" in hover, hover)
    hover = e.at("hover", "P.mo", *position(SMALL, "Base(v0"))["contents"]["value"]
    check("a class", "partial model P.Base" in hover, hover)
    hover = e.at("hover", "P.mo", *position(SMALL, "Volt v(", 1))["contents"]["value"]
    check("a type with its unit", "type P.Volt" in hover and "unit `V`" in hover, hover)
    help_ = e.at("signatureHelp", "P.mo", *position(SMALL, "k=3", 2))
    check("signature", help_["activeParameter"] == 1 and len(help_["signatures"]) == 1, help_)
    hints = e.about(
        "inlayHint",
        "P.mo",
        range={"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}},
    )
    labels = [h["label"] for h in hints]
    check("hints", labels == ["[V]", "= 6", "[V]", "[3]"], labels)
    e.end()


def test_pictures():
    """Icons, only for editors that show them."""
    text = """package P
  model Part
    annotation (Icon(graphics={Line(points={{0,0},{9,9}})}));
  end Part;
  model M
    Part part;
  end M;
end P;
"""
    tags = {"general": {"markdown": {"parser": "marked", "allowedTags": ["p", "img"]}}}
    for capabilities in ({}, tags):
        e = opened(text, capabilities=capabilities)
        for mark in ("Part part", "part;"):
            value = e.at("hover", "P.mo", *position(text, mark))["contents"]["value"]
            picture = "<img" in value and "data:image/svg+xml;base64," in value
            check("a picture of %s" % mark, picture == bool(capabilities), value)
        e.end()


def labels(answer):
    return [i["label"] for i in answer["items"]]


def test_completion():
    snippet = {"textDocument": {"completion": {"completionItem": {"snippetSupport": True}}}}
    write(
        "L/package.mo",
        'package L\n  model Resistor\n    parameter Real R(unit="Ohm")=5 "r";\n'
        "  end Resistor;\nend L;\n",
    )
    text = (
        'model M\n  L.Resistor r(R=1);\n  Real x = r.\n  Resi\n  Real y(unit="k");\n  wh\n'
        "  annotation (exp);\nend M;\n"
    )
    write("M.mo", text)
    e = Editor(root=".", capabilities=snippet)
    e.open("M.mo")
    e.problems("M.mo")
    items = e.at("completion", "M.mo", *position(text, "= r.", 4))
    check("members", labels(items) == ["R"], labels(items))
    items = e.at("completion", "M.mo", *position(text, "r(R", 2))["items"]
    detail = [i["detail"] for i in items if i["label"] == "R"]
    check("a modifier with unit and default", detail == ["Real [Ohm] = 5: r"], detail)
    items = e.at("completion", "M.mo", *position(text, '"k', 2))
    check("units", "kg" in labels(items) and "V" not in labels(items), labels(items)[:5])
    items = e.at("completion", "M.mo", *position(text, "  wh", 4))
    check("a snippet", "when …" in labels(items), labels(items)[:9])
    items = e.at("completion", "M.mo", *position(text, "(exp", 4))
    check("annotations", labels(items) == ["experiment"], labels(items))
    while (answer := e.at("completion", "M.mo", *position(text, "  Resi", 6)))["isIncomplete"]:
        time.sleep(0.05)  # the index is made when the server is idle
    items = answer["items"]
    found = [i for i in items if i["label"] == "Resistor"]
    edits = found[0]["additionalTextEdits"] + [found[0]["textEdit"]]
    result = apply(text, edits)
    imported = "  import L.Resistor;\n" in result and "  Resistor\n" in result
    check("a short name with its import", imported, result)
    e.end()


def test_structure():
    e = opened()
    symbols = e.about("documentSymbol", "P.mo")
    names = [c["name"] for c in symbols[0]["children"]]
    check("symbols", names == ["Volt", "f", "Base", "M"], names)
    folds = e.about("foldingRange", "P.mo")
    check("folds", {"startLine": 2, "endLine": 8} in folds, folds)
    line, character = position(SMALL, "k=3")
    chain = e.about("selectionRange", "P.mo", positions=[{"line": line, "character": character}])[0]
    n = 0
    while chain:
        inner, chain, n = chain["range"], chain.get("parent"), n + 1
        if chain:
            a, b = inner["start"], chain["range"]["start"]
            check("grows", (b["line"], b["character"]) <= (a["line"], a["character"]))
    check("selections", n >= 5, n)
    data = e.about("semanticTokens/full", "P.mo")["data"]
    check("tokens", len(data) % 5 == 0 and data[:5] == [0, 0, 7, 7, 0], data[:10])
    lenses = e.about("codeLens", "P.mo")
    check("lenses of the model", {x["command"]["arguments"][0]["class"] for x in lenses} == {"P.M"})
    item = e.at("prepareTypeHierarchy", "P.mo", *position(SMALL, 'M "m"'))[0]
    above = e.ask("typeHierarchy/supertypes", {"item": item})
    check("supertypes", [i["name"] for i in above] == ["Base"], above)
    below = e.ask("typeHierarchy/subtypes", {"item": above[0]})
    check("subtypes", [i["name"] for i in below] == ["M"], below)
    item = e.at("prepareCallHierarchy", "P.mo", *position(SMALL, 'f "doubles'))[0]
    callers = e.ask("callHierarchy/incomingCalls", {"item": item})
    check("callers", [c["from"]["name"] for c in callers] == ["M"], callers)
    calls = e.ask("callHierarchy/outgoingCalls", {"item": callers[0]["from"]})
    check("calls", [c["to"]["name"] for c in calls] == ["f"], calls)
    e.end()


def test_links():
    write(
        "L/package.mo",
        'package L\n  annotation (Documentation(info="see modelica://L and modelica://L/a.png"));\n'
        "end L;\n",
    )
    write("L/a.png", "")
    e = Editor(root=".")
    e.open("L/package.mo")
    links = e.about("documentLink", "L/package.mo")
    targets = [x["target"] for x in links]
    check("links", targets == [uri("L/package.mo"), uri("L/a.png")], links)
    e.end()


def test_formatting():
    ugly = "model A\nReal  x;\n    Real y;\nequation\nx=1;\ny =2;\nend A;\n"
    e = opened(ugly)
    edits = e.about("formatting", "P.mo", options={})
    nice = "model A\n  Real x;\n  Real y;\nequation\n  x = 1;\n  y = 2;\nend A;\n"
    check("a document", apply(ugly, edits) == nice, edits)
    one = {"start": {"line": 4, "character": 0}, "end": {"line": 4, "character": 3}}
    result = apply(ugly, e.about("rangeFormatting", "P.mo", range=one, options={}))
    check("a range", "Real  x" in result and "  x = 1" in result, result)
    edits = e.at("onTypeFormatting", "P.mo", 5, 5, ch=";", options={})
    check("while typing", "  y = 2" in apply(ugly, edits) and "Real  x" in apply(ugly, edits))
    e.change("P.mo", "model A\n  Real\nend A;\n")
    check("not with errors", e.about("formatting", "P.mo", options={}) == [])
    e.end()


def command(name, **more):
    arguments = [{"uri": uri("P.mo"), "class": "P.M", **more}]
    return {"command": "kairos." + name, "arguments": arguments}


def test_commands():
    e = opened(capabilities={"window": {"workDoneProgress": True}})
    answer = e.ask("workspace/executeCommand", command("simulate"))
    # der(v) = -v + 18 with v(0) = 4, the start value of the only state
    check(
        "simulate", abs(answer["final"]["v"] - (18 - 14 * 2.718281828459045**-1)) < 1e-4, answer
    )
    check("the result is a file", os.path.exists(answer["result"]))
    kinds = [m["params"]["value"]["kind"] for m in e.seen if m.get("method") == "$/progress"]
    check("progress", kinds[0] == "begin" and kinds[-1] == "end", kinds)
    answer = e.ask("workspace/executeCommand", command("plot", stopTime=2))
    check("plot", "<svg" in answer["svg"] and answer["final"]["time"] == 2)
    check("equations", "der(v)" in e.ask("workspace/executeCommand", command("equations"))["text"])
    check("diagram", "<svg" in e.ask("workspace/executeCommand", command("diagram"))["svg"])
    answer = e.ask("workspace/executeCommand", {"command": "kairos.explain", "arguments": ["I001"]})
    check("explain", "unknown name" in answer["text"])
    check("no command", code(e.ask("workspace/executeCommand", {"command": "x"})) == -32602)
    e.end()
    check("results are removed", not os.path.exists(answer.get("result", "none")))


def test_cancellation():
    slow = (
        "model A\n  Real x(start=1, fixed=true);\nequation\n  der(x) = sin(1e6*time);\n"
        "  annotation (experiment(StopTime=1000));\nend A;\n"
    )
    e = opened(slow)
    arguments = [{"uri": uri("P.mo"), "class": "A"}]
    number = e.start(
        "workspace/executeCommand", {"command": "kairos.simulate", "arguments": arguments}
    )
    e.notify("$/cancelRequest", {"id": number})
    check("cancelled", e.answer(number)["error"]["code"] == -32800)
    e.notify("$/cancelRequest", {"id": 4711})
    number = e.start(
        "workspace/executeCommand",
        {"command": "kairos.simulate", "arguments": arguments, "workDoneToken": "t"},
    )
    e.wait(lambda m: m.get("method") == "$/progress")
    e.notify("window/workDoneProgress/cancel", {"token": "t"})
    check("cancelled by its progress", e.answer(number)["error"]["code"] == -32800)
    check("alive", e.at("hover", "P.mo", 1, 7) is not None)
    e.end()


def test_roots():
    write("one/A.mo", "model A\n  B b;\nend A;\n")
    write("two/B.mo", "model B\n  Real x=1;\nend B;\n")
    write("deep/down/D/package.mo", "package D\n  model E\n  end E;\nend D;\n")
    e = Editor(root="one")
    e.open("one/A.mo")
    check("B is unknown", e.problems("one/A.mo")[0]["code"] == "I001")
    added = [{"uri": uri("two"), "name": "two"}, {"uri": uri("deep"), "name": "deep"}]
    event = {"event": {"added": added, "removed": []}}
    e.notify("workspace/didChangeWorkspaceFolders", event)
    check("a second root", e.problems("one/A.mo") == [])
    e.change("one/A.mo", "model A\n  D.E b;\nend A;\n")
    check("a package in a folder below", e.problems("one/A.mo") == [])
    e.end()


def test_names_that_are_taken():
    """A new name that has another meaning at one of its places is refused."""
    text = """package P
  partial model Base
    Real v;
  end Base;
  model M
    extends Base;
    inner Real g = 1;
    Real x[3], w = 1;
  equation
    for k in 1:3 loop
      x[k] = k*w;
    end for;
    v = w;
  end M;
end P;
"""
    e = opened(text)
    for mark, offset, name, words in (
        ("Real v;", 5, "x", "'x' has another meaning in line 13 of P.mo"),
        ("w = 1", 0, "k", "'k' has another meaning in line 11 of P.mo"),
        ("k in", 0, "w", "'w' has another meaning in line 11 of P.mo"),
        ("g = 1", 0, "h", "outer"),
        ("Real x", 5, "w", "already declared in 'P.M'"),
    ):
        answer = e.at("rename", "P.mo", *position(text, mark, offset), newName=name)
        message = answer.get("error", {}).get("message", "")
        check("%s to %s" % (mark, name), words in message, answer)
    free = ("Real v;", 5, "u", 2), ("w = 1", 0, "u", 3), ("k in", 0, "i", 3)
    for mark, offset, name, n in free:
        answer = e.at("rename", "P.mo", *position(text, mark, offset), newName=name)
        edits = [edit for c in answer["documentChanges"] for edit in c["edits"]]
        check("%s to %s" % (mark, name), len(edits) == n, edits)
    e.end()


def test_workspace_symbols():
    """The first answer is right, and so is one just after a file has appeared."""
    write("D/package.mo", "package D\n  model Engine\n  end Engine;\nend D;\n")
    e = Editor(root=".")
    found = e.ask("workspace/symbol", {"query": "Engine"})
    check("at once", [(s["name"], s["containerName"]) for s in found] == [("Engine", "D")], found)
    write("Newcomer.mo", "model Newcomer\nend Newcomer;\n")
    changes = [{"uri": uri("Newcomer.mo"), "type": 1}]
    e.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    found = e.ask("workspace/symbol", {"query": "newcomer"})
    check("a new file", [s["name"] for s in found] == ["Newcomer"], found)
    e.end()


def test_huge_file():
    lines = ["model A"] + ["  Real x%d = %d;" % (i, i) for i in range(30000)] + ["end A;", ""]
    e = opened("\n".join(lines))
    hover = e.at("hover", "P.mo", 15000, 8)
    check("a large file", "x14999" in hover["contents"]["value"], hover)
    e.end()


program.run_tests()
