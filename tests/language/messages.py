"""Random messages for `kairos lsp` and `kairos mcp`: valid requests whose parts are exchanged,
removed or replaced by strange values, and wrong frames. The servers go on: every request has an
answer, which is no internal error, and a sane question is answered at the end.

KAIROS_MESSAGE_SECONDS is the time for each server (default: 3), KAIROS_MESSAGE_SEED the seed."""
import copy, json, os, random, time

from client import Editor, Server, uri
import program
from program import check, write

TEXT = """package P "a package"
  type Volt = Real(unit="V");
  function f
    input Real u;
    output Real y=2*u;
  end f;
  model M "\U0001f600"
    parameter Volt v0=2;
    Volt v(start=v0, fixed=true);
    Real x[:]={1,2,3};
  equation
    der(v) = -f(v) + x[1];
  end M;
end P;
"""
POSITIONS = """hover definition declaration typeDefinition signatureHelp references
    documentHighlight prepareRename rename implementation prepareTypeHierarchy
    prepareCallHierarchy completion onTypeFormatting""".split()
WHOLE = """documentSymbol foldingRange selectionRange semanticTokens/full semanticTokens/range
    inlayHint documentLink codeLens formatting rangeFormatting codeAction""".split()
NOTES = """textDocument/didChange textDocument/didOpen textDocument/didClose textDocument/didSave
    workspace/didChangeWatchedFiles workspace/didChangeWorkspaceFolders $/cancelRequest
    window/workDoneProgress/cancel initialized $/unknown""".split()
OTHERS = """workspace/symbol workspace/executeCommand typeHierarchy/supertypes
    typeHierarchy/subtypes callHierarchy/incomingCalls callHierarchy/outgoingCalls initialize
    no/method""".split()
TOOLS = {
    "search_classes": {"query": "M"},
    "describe_class": {"class": "P.M", "source": True},
    "check_text": {"text": TEXT},
    "explain": {"code": "I001"},
    "format_text": {"text": TEXT},
    "edit_class": {
        "path": "P.mo",
        "class": "P.M",
        "operation": "add_element",
        "text": "Real z=1",
        "dry_run": True,
    },
}
STRANGE = [None, True, False, 0, -1, 1.5, 1e300, -1e300, 4294967296, "", "x", "\0", "\ud800"]
STRANGE += [[], {}, [[]], {"a": {}}, "a" * 5000, "\U0001f600"]
STRANGE += ["P.mo", "file:///", "file://%zz", "no:thing"]
INTERNAL = -32603


def place(r):
    return {"line": r.choice([0, 1, 5, 12, 13, 14, 99]), "character": r.randrange(30)}


def span(r):
    return {"start": place(r), "end": place(r)}


def editor_params(r, version):
    """The parts of all requests at once: each takes what it needs."""
    document = {"uri": uri("P.mo"), "languageId": "modelica", "version": version, "text": TEXT}
    item = {"name": "M", "kind": 5, "uri": uri("P.mo"), "range": span(r), "selectionRange": span(r)}
    return {
        "textDocument": document,
        "position": place(r),
        "positions": [place(r), place(r)],
        "range": span(r),
        "newName": r.choice(["w", "end", "a b", ""]),
        "context": {"diagnostics": [], "includeDeclaration": True},
        "options": {"tabSize": 2, "insertSpaces": True},
        "ch": r.choice([";", "\n"]),
        "query": r.choice(["M", "", "P."]),
        "command": r.choice(["kairos.explain", "kairos.equations", "kairos.none"]),
        "arguments": [r.choice(["I001", {"uri": uri("P.mo"), "class": "P.M"}])],
        "item": item,
        "id": r.randrange(50),
        "token": r.choice(["a", 1]),
        "contentChanges": [{"range": span(r), "text": r.choice(["", "x", "\n", "/*", "end"])}],
        "changes": [{"uri": uri("P.mo"), "type": r.randrange(5)}],
        "event": {"added": [{"uri": uri("Q"), "name": "Q"}], "removed": []},
    }


def places_of(o):
    """(container, key) of all parts."""
    keys = list(o) if isinstance(o, dict) else range(len(o)) if isinstance(o, list) else []
    for key in keys:
        yield o, key
        yield from places_of(o[key])


def spoil(r, message):
    message = copy.deepcopy(message)
    for _ in range(r.choice([0, 0, 1, 1, 2, 4])):
        all_places = list(places_of(message))
        if not all_places:
            break
        where, key = r.choice(all_places)
        kind = r.randrange(3)
        if kind == 0 and isinstance(where, dict):
            del where[key]
        elif kind == 1:
            other, other_key = r.choice(all_places)
            where[key] = copy.deepcopy(other[other_key])
        else:
            where[key] = copy.deepcopy(r.choice(STRANGE))
    return message


def has_valid_id(message):
    """A request that must be answered with its id."""
    is_number = isinstance(message.get("id"), int)
    is_json = "\\ud800" not in json.dumps(message)  # half a character
    return is_json and is_number and isinstance(message.get("method"), str)


def send_spoiled(s, r, message):
    """Returns the id that an answer must have; None if it need not have one."""
    spoiled = spoil(r, message)
    spoiled.pop("id", None)
    if "id" in message:
        spoiled["id"] = message["id"]
    if spoiled.get("method") in ("exit", "shutdown"):
        return None
    s.send(spoiled)
    return message.get("id") if has_valid_id(spoiled) else None


def send_bytes(s, r, framed):
    """A wrong frame, or a message in pieces, or with other bytes."""
    message = {"jsonrpc": "2.0", "method": "$/x", "params": {"a": [1, "\U0001f600"]}}
    body = json.dumps(message).encode()
    if r.random() < 0.7:
        at = r.randrange(len(body))
        body = body[:at] + bytes([r.randrange(256)]) + body[at + r.randrange(3) :]
    body = body.replace(b"\n", b" ")
    s.write(b"Content-Length: %d\r\n\r\n" % len(body) + body if framed else body + b"\n")


def editor_request(r, number):
    kind = r.random()
    if kind < 0.3:
        return {"method": r.choice(NOTES)}
    names = ["textDocument/" + n for n in POSITIONS + WHOLE] + OTHERS
    return {"method": r.choice(names), "id": number}


def finish(s, waiting):
    for number in waiting:
        answer = s.answer(number, 120)
        error = answer.get("error", {}) if isinstance(answer, dict) else {}
        check("no internal error", error.get("code") != INTERNAL, answer)


def seconds():
    return float(os.environ.get("KAIROS_MESSAGE_SECONDS", "3"))


def seed():
    return random.Random(int(os.environ.get("KAIROS_MESSAGE_SEED", "1")))


def round_of(s, r, make, framed):
    waiting = []
    for _ in range(r.randrange(1, 30)):
        s.number += 1
        if r.random() < 0.1:
            send_bytes(s, r, framed)
        number = send_spoiled(s, r, {"jsonrpc": "2.0", **make(s.number)})
        if number is not None:
            waiting.append(number)
    finish(s, waiting)
    s.seen.clear()


def test_editor():
    r, until = seed(), time.monotonic() + seconds()
    write("P.mo", TEXT)
    os.makedirs("Q")
    e = Editor(root=".")
    e.open("P.mo")
    while time.monotonic() < until:
        round_of(
            e, r, lambda n: {**editor_request(r, n), "params": editor_params(r, n)}, True
        )
    e.open("P.mo", TEXT)
    check("it still knows the text", e.about("documentSymbol", "P.mo")[0]["name"] == "P")
    check("the server ends well", e.end() == 0)


class Agent(Server):
    """A client of `kairos mcp`."""

    def send(self, message):
        self.write(json.dumps(message).encode() + b"\n")

    def read_one(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else None


def agent_request(r, number):
    kind = r.random()
    if kind < 0.1:
        return {"method": r.choice(["notifications/cancelled", "notifications/x"]), "params": {}}
    if kind < 0.2:
        return {"method": r.choice(["tools/list", "ping", "no/method"]), "id": number}
    name = r.choice(sorted(TOOLS))
    params = {"name": name, "arguments": TOOLS[name], "_meta": {"progressToken": number}}
    return {"method": "tools/call", "id": number, "params": params}


def test_agent():
    r, until = seed(), time.monotonic() + seconds()
    write("P.mo", TEXT)
    a = Agent("mcp", ".")
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t"}}
    a.ask("initialize", client)
    a.notify("notifications/initialized")
    while time.monotonic() < until:
        round_of(a, r, lambda n: agent_request(r, n), False)
    answer = a.ask("tools/call", {"name": "explain", "arguments": {"code": "I001"}})
    check("it still explains", "unknown name" in json.dumps(answer), answer)
    check("the server ends well", a.close() == 0)


program.run_tests()
