"""Random edits: an editor types into files of libraries and asks questions meanwhile. No request
ends with an internal error, and no answer is stale: the problems of the last version are those that
a new server reports for the same text.

The files are those of the library Hybrid and, if KAIROS_MSL names its folder, of the Standard
Library. KAIROS_MUTATION_SECONDS is the time for typing (default: 8), KAIROS_MUTATION_SEED the
seed."""
import glob, os, random, shutil, time

from client import Editor, uri
import program
from program import TOP, check

PIECES = [
    ";", "(", ")", "{", "}", "[", "]", "=", ":=", ".", ",", '"', "'", "//", "/*", "*/", "\n", " ",
    "end", "equation", "when ", "if ", " then ", "for i in 1:3 loop ", "der(", "x", "1e3", "-",
    "annotation (", "model M end M;", "extends A;", "Real y;", "\U0001f600", "ä", "\t", "\r\n",
]
POSITIONS = ["hover", "definition", "completion", "signatureHelp", "references"]
WHOLE = ["documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "formatting"]


def files():
    folder = os.environ.get("KAIROS_MSL")
    source = os.path.join(folder, "Modelica") if folder else os.path.join(TOP, "library/Hybrid")
    shutil.copytree(source, "L/" + os.path.basename(source))
    os.system("chmod -R u+w L")
    found = sorted(glob.glob("L/**/*.mo", recursive=True))
    return [f for f in found if os.path.getsize(f) < 200000]


class Text:
    """A text as the editor has it; positions are in UTF-16."""

    def __init__(self, path):
        with open(path, newline="", encoding="utf-8") as f:
            self.text = f.read()

    def position(self, at):
        line = self.text.count("\n", 0, at)
        start = self.text.rfind("\n", 0, at) + 1
        return line, len(self.text[start:at].encode("utf-16-le")) // 2


def is_bounded(text, at):
    """Not between CR and LF: editors have no such position."""
    return not (0 < at < len(text) and text[at - 1] == "\r" and text[at] == "\n")


def edit(e, r, path, t):
    n = len(t.text)
    start = r.randrange(n + 1)
    end = min(n, start + r.choice([0, 0, 0, 1, 1, 3, 20, 200]))
    piece = r.choice(PIECES)
    if r.random() < 0.2 and n > 100:
        at = r.randrange(n - 50)
        piece = t.text[at : at + r.randrange(50)]
    if not is_bounded(t.text, start) or not is_bounded(t.text, end):
        return
    e.change(path, piece, t.position(start), t.position(end))
    t.text = t.text[:start] + piece + t.text[end:]


def ask(e, r, path, t):
    line, character = t.position(r.randrange(len(t.text) + 1))
    if r.random() < 0.7:
        method = r.choice(POSITIONS)
        params = {"position": {"line": line, "character": character}}
    else:
        method, params = r.choice(WHOLE), {"options": {}}
    method = "textDocument/" + method
    return method, e.start(method, {"textDocument": {"uri": uri(path)}, **params})


def last_problems(e, path):
    return e.problems(path, e.versions[path])


def type_into(r, path, edits):
    t = Text(path)
    e = Editor(root="L")
    e.open(path)
    asked = []
    for _ in range(edits):
        edit(e, r, path, t)
        if r.random() < 0.3:
            asked.append(ask(e, r, path, t))
    for method, number in asked:
        answer = e.answer(number, 120)
        error = answer.get("error", {})
        check("%s in %s" % (method, path), error.get("code") != -32603, answer)
    seen = last_problems(e, path)
    check("the server ends well", e.end() == 0)
    fresh = Editor(root="L")
    fresh.open(path, t.text)
    expected = fresh.problems(path)
    fresh.end()
    if seen != expected:
        with open("text.mo", "w", newline="") as f:
            f.write(t.text)
        check("the problems of %s are not stale" % path, False, (seen[:2], expected[:2]))


def test_typing():
    seed = int(os.environ.get("KAIROS_MUTATION_SEED", "1"))
    until = time.monotonic() + float(os.environ.get("KAIROS_MUTATION_SECONDS", "8"))
    all_files, r, n = files(), random.Random(seed), 0
    while time.monotonic() < until or not n:
        type_into(r, r.choice(all_files), r.randrange(1, 40))
        n += 1


program.run_tests()
