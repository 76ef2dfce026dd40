"""kairos mcp: a scripted client goes through initialization, listing, calls, errors and
cancellation. Also `kairos --help --json`."""
import base64, ctypes, json, math, os, subprocess

from client import Server
import program
from program import KAIROS, call, check, write

DECAY = """model Decay "a state that decays"
  parameter Real k=2 "rate";
  Real x(start=1, fixed=true);
equation
  der(x) = -k*x;
end Decay;
"""


class Agent(Server):
    def __init__(self, *options, begin=True):
        super().__init__("mcp", *options)
        if begin:
            info = {"name": "test", "version": "1"}
            self.info = self.ask(
                "initialize",
                {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info},
            )
            self.notify("notifications/initialized")

    def send(self, message):
        self.write(json.dumps(message).encode() + b"\n")

    def read_one(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def tool(self, tool, **arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})

    def good(self, tool, **arguments):
        """The structured content; its text is the same."""
        answer = self.tool(tool, **arguments)
        check("%s has no error" % tool, not answer.get("isError", True), answer)
        content = answer["structuredContent"]
        check("text and structure agree", json.loads(answer["content"][0]["text"]) == content)
        return content

    def bad(self, tool, **arguments):
        answer = self.tool(tool, **arguments)
        check("%s has an error" % tool, answer.get("isError"), answer)
        return answer["content"][0]["text"]


def code(answer):
    return answer.get("error", {}).get("code")


def test_protocol():
    a = Agent(begin=False)
    check("a ping at any time", a.ask("ping") == {})
    check("not initialized", code(a.ask("tools/list")) == -32002)
    check("no version", code(a.ask("initialize", {})) == -32602)
    info = a.ask("initialize", {"protocolVersion": "1999-01-01", "capabilities": {}})
    check("another version is offered", info["protocolVersion"] == "2025-06-18", info)
    info = a.ask("initialize", {"protocolVersion": "2024-11-05", "capabilities": {}})
    check("an old version is accepted", info["protocolVersion"] == "2024-11-05", info)
    check("it has tools", "tools" in info["capabilities"] and info["serverInfo"]["name"])
    check("no such method", code(a.ask("resources/list")) == -32601)
    check("no such tool", code(a.tool("nothing")) == -32602)
    answer = a.ask("tools/call", {"name": "simulate", "arguments": 3})
    check("wrong arguments", code(answer) == -32602)
    a.write(b"{]\n")
    check("not JSON", a.wait(lambda m: m["id"] is None)["error"]["code"] == -32700)
    a.write(b"[]\n\n")
    check("a batch", a.wait(lambda m: m["id"] is None)["error"]["code"] == -32600)
    a.notify("notifications/nothing")
    check("status", a.close() == 0)


def test_list():
    a = Agent()
    tools = {t["name"]: t for t in a.ask("tools/list")["tools"]}
    names = {"search_classes", "describe_class", "check_text", "simulate", "plot", "explain"}
    check("the tools", names | {"edit_class", "format_text"} <= set(tools), list(tools))
    for t in tools.values():
        schema = t["inputSchema"]
        check("%s has a schema" % t["name"], schema["type"] == "object")
        check("required ones exist", set(schema["required"]) <= set(schema["properties"]))
        check("it is described", len(t["description"]) > 20)
    a.close()


def test_classes():
    thing = '  model Thing "a thing"\n    parameter Real m(unit="kg")=3 "mass";\n  end Thing;\n'
    write("L/package.mo", "package L\n" + thing + "end L;\n")
    a = Agent(".")
    found = a.good("search_classes", query="thing")
    check("found", found["classes"][0]["name"] == "L.Thing", found)
    found = a.good("search_classes", query="DiodeInductor", kind="model", limit=1)
    check("of a library", found["classes"][0]["name"].startswith("Hybrid."), found)
    check("nothing", a.good("search_classes", query="Nonexistent")["total"] == 0)
    c = a.good("describe_class", **{"class": "L.Thing"})
    check("parameters", [p["name"] for p in c["components"]] == ["m"], c)
    check("no text", "text" not in c)
    c = a.good("describe_class", **{"class": "L.Thing"}, source=True)
    check("its text", c["text"].startswith("model Thing"), c)
    check("unknown", "search_classes" in a.bad("describe_class", **{"class": "L.Nothing"}))
    found = a.good("search_classes", query="L.Old.Thing")
    check("an old path", found["classes"][0]["name"] == "L.Thing" and found["note"], found)
    error = a.bad("describe_class", **{"class": "Old.Thing"})
    check("its new one", "similar names: L.Thing" in error, error)
    error = a.bad("describe_class", **{"class": "L.Thign"})
    check("misspelt", "similar names: L.Thing" in error, error)
    found = a.good("search_classes", query="Thigh")
    check("a similar name", found["classes"][0]["name"] == "L.Thing" and found["note"], found)
    a.close()


def test_check():
    a = Agent()
    check("good text", a.good("check_text", text=DECAY) == {"ok": True, "messages": []})
    answer = a.good("check_text", text=DECAY.replace("-k*x", "-kk*x"))
    message = answer["messages"][0]
    check("a mistake", not answer["ok"] and message["code"] == "I001" and message["line"] == 5)
    check("with its fix", message["fix"]["text"] == "k", message)
    check("syntax", "expected" in a.bad("check_text", text="model A\n  Real\nend A;"))
    check("explain", "unknown name" in a.good("explain", code="I001")["explanation"])
    check("no code", "E999" in a.bad("explain", code="E999"))
    check("nothing to check", "give" in a.bad("check_text"))
    a.close()


def test_analyses():
    a = Agent()
    answer = a.good("linearize", text=DECAY, set={"k": 3})
    check("a pole", abs(answer["result"]["poles"][0]["re"] + 3) < 1e-9, answer)
    answer = a.good("steady", text=DECAY.replace("-k*x", "cos(time) - k*x"))
    check("periodic", answer["result"]["kind"] == "periodic", answer)
    check("values", abs(answer["result"]["values"]["x"] - 0.4) < 1e-6, answer)
    answer = a.good("sensitivities", text=DECAY, of=["x"], to=["k"], stop_time=1)
    slope = answer["result"]["scalars"]["end(x)"]["k"]
    check("a derivative", abs(slope + math.exp(-2)) < 1e-5, slope)
    check("no name", "did you mean" in a.bad("sensitivities", text=DECAY, of=["x"], to=["kk"]))
    a.close()


def test_simulate():
    a = Agent()
    answer = a.good("simulate", text=DECAY, stop_time=1, variables=["x"], points=11)
    check("the end", abs(answer["final"]["x"] - math.exp(-2)) < 1e-5, answer)
    times, values = answer["data"]["time"], answer["data"]["x"]
    check("few points", 5 <= len(times) <= 13 and times[-1] == 1, times)
    for t, x in zip(times, values):
        check("a point", abs(x - math.exp(-2 * t)) < 1e-4, (t, x))
    check("steps", answer["steps"] > 5 and answer["events"] == 0, answer)
    text = DECAY.replace("-k*x", "if time > 0.3 and time < 0.6 then 1 else -k*x")
    answer = a.good("simulate", text=text, stop_time=1)
    check("events", answer["events"] == 2, answer)
    answer = a.good("simulate", text=DECAY, set={"k": 1}, stop_time=2)
    check("a parameter", abs(answer["final"]["x"] - math.exp(-2)) < 1e-5, answer)
    text = "model A\n  Real x;\nequation\n  x*x = -1 - time;\nend A;\n"
    answer = a.good("simulate", text=text)
    facts = json.dumps(answer["messages"])
    check("a failure is explained", not answer["ok"] and "residual" in facts, answer)
    check("errors", "I001" in a.bad("simulate", text=DECAY.replace("-k", "-q")))
    answer = a.tool("plot", text=DECAY, variables=["x"])
    picture = answer["content"][1]
    check("a picture", picture["mimeType"] == "image/png" and picture["type"] == "image")
    check("it is PNG", base64.b64decode(picture["data"])[:8] == b"\x89PNG\r\n\x1a\n")
    a.close()


def test_edit_keeps_other_lines():
    """Only lines that were written are formatted."""
    text = "model  A\n     Real x = 1 ; // mine\n\n\n  Real   w=2;\n  Real y=2;\n"
    text += "equation\nend   A;\n"
    write("a.mo", text)
    a = Agent(".")
    edit = {"path": "a.mo", "class": "A"}
    a.good("edit_class", **edit, operation="add_element", text="Real   z = x+y")
    expected = text.replace("equation", "  Real z=x + y;\nequation")
    check("one line", open("a.mo").read() == expected, open("a.mo").read())
    a.good("edit_class", **edit, operation="remove_element", element="z")
    check("and back", open("a.mo").read() == text, open("a.mo").read())
    a.close()


def test_edit():
    write("m.mo", DECAY)
    a = Agent(".")
    edit = {"path": "m.mo", "class": "Decay"}
    a.good("edit_class", **edit, operation="add_element", text='Real y "twice"')
    answer = a.good("edit_class", **edit, operation="add_equation", text="y = 2*x;")
    check("no mistakes are left", answer["messages"] == [], answer)
    expected = DECAY.replace("equation", 'Real y "twice";\nequation').replace("Real y", "  Real y")
    expected = expected.replace("end Decay", "  y = 2*x;\nend Decay")
    check("both are there", open("m.mo").read() == expected, open("m.mo").read())
    text = "parameter Real k=5"
    a.good("edit_class", **edit, operation="replace_element", element="k", text=text)
    check("replaced", "  parameter Real k=5;\n" in open("m.mo").read(), open("m.mo").read())
    before = open("m.mo").read()
    answer = a.good("edit_class", **edit, operation="remove_element", element="y", dry_run=True)
    check("only tried", "Real y" not in answer["text"] and open("m.mo").read() == before)
    check("a mistake in the result", any(m["code"] == "I001" for m in answer["messages"]))
    error = a.bad("edit_class", **edit, operation="add_element", text="Real")
    check("syntax errors", "expected" in error, error)
    check("nothing was written", open("m.mo").read() == before)
    a.bad("edit_class", path="m.mo", operation="remove_element", element="zz", **{"class": "Decay"})
    a.bad("edit_class", path="m.mo", operation="add_element", text="Real z", **{"class": "Other"})
    a.good("edit_class", **edit, operation="replace_class", text="model Decay\nend Decay")
    check("the class", open("m.mo").read() == "model Decay\nend Decay;\n", open("m.mo").read())
    a.close()


def test_folders():
    write("in/m.mo", DECAY)
    write("out/secret.mo", "model Secret\nend Secret;\n")
    os.symlink(os.path.abspath("out/secret.mo"), "in/link.mo")
    a = Agent("in")
    check("inside", a.good("check_text", path="m.mo")["ok"])
    secret = os.path.abspath("out/secret.mo")
    for path in ("../out/secret.mo", "link.mo", secret, "/etc/passwd", "no/x"):
        check("outside: " + path, "folders" in a.bad("check_text", path=path))
        check("no picture", "folders" in a.bad("plot", path="m.mo", output=path))
        edit = {"path": path, "operation": "replace_class", "text": "", "class": "Secret"}
        check("no edit", "folders" in a.bad("edit_class", **edit))
    a.good("plot", path="m.mo", output="m.svg")
    check("a picture in the folder", open("in/m.svg").read().count("<svg") == 1)
    check("nothing else", sorted(os.listdir("in")) == ["link.mo", "m.mo", "m.svg"])
    a.close()
    p = subprocess.run([KAIROS, "mcp", "missing"], stdin=subprocess.DEVNULL, stderr=-1, stdout=-1)
    check("no such folder", p.returncode == 2 and b"missing" in p.stderr, p)


def test_external_code():
    text = """model A
  function f
    input Real u;
    output Real y;
    external "C" y = evil(u) annotation (Include="static double evil(double u) {return 7;}");
  end f;
  Real y = f(time);
end A;
"""
    a = Agent()
    answer = a.tool("simulate", text=text)
    refused = answer["isError"] or not answer["structuredContent"]["ok"]
    check("refused", refused and "external" in json.dumps(answer), answer)
    a.close()
    a = Agent("--allow-external")
    check("allowed", a.good("simulate", text=text)["final"]["y"] == 7)
    a.close()


def has_landlock():
    return ctypes.CDLL(None).syscall(444, None, 0, 1) > 0


def test_confinement():
    """External code, if it is allowed, reads no file outside of the folders either."""
    write("in/open.txt", "a")
    write("out/secret.txt", "b")
    text = """model A
  function f
    input String path;
    output Real y;
    external "C" y = probe(path) annotation (Include="
#include <stdio.h>
static double probe(const char *path) {FILE *f = fopen(path, \\"r\\"); return f != NULL;}");
  end f;
  Real y = f("%s");
end A;
"""
    if not has_landlock():
        return
    a = Agent("in", "--allow-external")
    for path, expected in (("in/open.txt", 1), ("out/secret.txt", 0)):
        answer = a.good("simulate", text=text % os.path.abspath(path))
        check(path, answer["final"].get("y") == expected, answer)
    a.close()


def test_cancellation():
    slow = DECAY.replace("-k*x", "sin(1e6*time)")
    a = Agent()
    arguments = {"text": slow, "stop_time": 1e4}
    number = a.start(
        "tools/call",
        {"name": "simulate", "arguments": arguments, "_meta": {"progressToken": "p"}},
    )
    a.wait(lambda m: m.get("method") == "notifications/progress")
    a.notify("notifications/cancelled", {"requestId": number})
    check("alive", a.ask("ping") == {})
    a.ask("tools/list")
    check("no answer", not [m for m in a.seen if m.get("id") == number])
    a.close()


def test_piped():
    """Requests from a file: all answers come although the input has ended."""
    begin = {"protocolVersion": "2025-06-18", "capabilities": {}}
    tool = {"name": "check_text", "arguments": {"text": DECAY}}
    first = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": begin}
    second = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": tool}
    data = "".join(json.dumps(m) + "\n" for m in (first, second)).encode()
    p = subprocess.run([KAIROS, "mcp"], input=data, stdout=-1, stderr=-1, timeout=60)
    ids = [json.loads(line)["id"] for line in p.stdout.splitlines()]
    check("two answers", ids == [1, 2] and p.returncode == 0, p)


def test_help():
    rc, out, err = call("--help", "--json")
    whole = json.loads(out)
    commands = {c["name"]: c for c in whole["commands"]}
    check("all commands", {"simulate", "check", "format", "lsp", "mcp"} <= set(commands))
    options = {o["name"]: o for o in commands["simulate"]["options"]}
    check("an option", options["--stop-time"]["type"] == "number", options.get("--stop-time"))
    check("choices", options["--diagnostics"]["choices"][0]["word"] == "text")
    check("statuses", whole["exit_statuses"][0]["status"] == "0")
    for name, command in commands.items():
        rc, out, err = call(name, "--help")
        for o in command["options"]:
            check("%s has %s" % (name, o["name"]), o["name"] in out)


program.run_tests()
