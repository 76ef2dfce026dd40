"""A client of the Language Server Protocol and of the Model Context Protocol, for the tests."""
import json, os, queue, subprocess, sys, threading, urllib.parse

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from program import KAIROS, check


def uri(path):
    return "file://" + urllib.parse.quote(os.path.abspath(path))


class Server:
    """A process with messages in and out; a thread reads them."""

    def __init__(self, *words):
        self.process = subprocess.Popen(
            [KAIROS, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.answers, self.messages, self.number = {}, queue.Queue(), 0
        self.seen = []
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        while True:
            message = self.read_one()
            self.messages.put(message)
            if message is None:
                return

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def wait(self, wanted, seconds=60):
        """The first message that `wanted` accepts, also among those that came before."""
        for message in self.seen:
            if wanted(message):
                self.seen.remove(message)
                return message
        while True:
            message = self.messages.get(timeout=seconds)
            if message is None:
                raise EOFError("the server has ended")
            if wanted(message):
                return message
            self.seen.append(message)

    def notify(self, method, params=None):
        self.send({"jsonrpc": "2.0", "method": method, "params": params or {}})

    def start(self, method, params=None):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params or {}})
        return self.number

    def answer(self, number, seconds=60):
        return self.wait(lambda m: m.get("id") == number and "method" not in m, seconds)

    def ask(self, method, params=None):
        """The result; an error is returned as it is."""
        message = self.answer(self.start(method, params))
        return message["result"] if "result" in message else message

    def close(self):
        self.process.stdin.close()
        status = self.process.wait(timeout=30)
        self.thread.join(timeout=30)
        self.process.stdout.close()
        errors = self.process.stderr.read().decode("utf-8", "replace")
        self.process.stderr.close()
        check("the sanitizers are silent", "Sanitizer" not in errors, errors[:3000])
        return status


class Editor(Server):
    """A client of `kairos lsp`."""

    def __init__(self, *options, root=None, capabilities=None, begin=True):
        super().__init__("lsp", *options)
        self.versions = {}
        if begin:
            folders = [{"uri": uri(r), "name": r} for r in ([root] if root else [])]
            self.info = self.ask(
                "initialize",
                {
                    "processId": os.getpid(),
                    "rootUri": None,
                    "workspaceFolders": folders,
                    "capabilities": capabilities or {},
                },
            )
            self.notify("initialized")

    def send(self, message):
        body = json.dumps(message).encode()
        self.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def read_one(self):
        length = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                return None
            if line == b"\r\n":
                return json.loads(self.process.stdout.read(length))
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])

    def open(self, path, text=None):
        if text is None:
            with open(path, newline="") as f:
                text = f.read()
        self.versions[path] = 1
        self.notify(
            "textDocument/didOpen",
            {
                "textDocument": {
                    "uri": uri(path),
                    "languageId": "modelica",
                    "version": 1,
                    "text": text,
                }
            },
        )

    def close_document(self, path):
        del self.versions[path]
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri(path)}})

    def change(self, path, text, start=None, end=None):
        """Replaces the range (line, character) to (line, character), or everything."""
        self.versions[path] += 1
        change = {"text": text}
        if start:
            change["range"] = {
                "start": {"line": start[0], "character": start[1]},
                "end": {"line": end[0], "character": end[1]},
            }
        self.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": uri(path), "version": self.versions[path]},
                "contentChanges": [change],
            },
        )

    def problems(self, path, version=None):
        """The diagnostics of a version of a document, the last one if it is open, or of a closed
        file."""
        version = self.versions.get(path) if version is None else version

        def wanted(m):
            p = m.get("params", {})
            return (
                m.get("method") == "textDocument/publishDiagnostics"
                and p["uri"] == uri(path)
                and p.get("version") == version
            )

        return self.wait(wanted)["params"]["diagnostics"]

    def at(self, method, path, line, character, **more):
        """Asks about a position of a document."""
        return self.ask(
            "textDocument/" + method,
            {
                "textDocument": {"uri": uri(path)},
                "position": {"line": line, "character": character},
                **more,
            },
        )

    def about(self, method, path, **more):
        return self.ask("textDocument/" + method, {"textDocument": {"uri": uri(path)}, **more})

    def end(self):
        self.ask("shutdown")
        self.notify("exit")
        return self.close()


def position(text, mark, offset=0):
    """Line and character (UTF-16) of a piece of the text, `offset` characters into it."""
    at = text.index(mark) + offset
    line = text.count("\n", 0, at)
    start = text.rfind("\n", 0, at) + 1
    return line, len(text[start:at].encode("utf-16-le")) // 2
