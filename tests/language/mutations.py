"""Random edits: an editor types into files of libraries and asks questions meanwhile. No request
ends with an internal error, and no answer is stale: problems, symbols, tokens, hovers and
definitions of the last version are those that a new server reports for the same texts.

The files are those of the library Hybrid and, if KAIROS_MSL names its folder, of the Standard
Library. KAIROS_MUTATION_SECONDS is the time for typing (default: 8), KAIROS_MUTATION_SEED the
seed."""
import glob, json, os, random, shutil, time

from client import Editor, uri
import program
from program import SANITIZED, TOP, check

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


def answers(e, path, places):
    """What the server says about the last version of the document."""
    found = {method: e.about(method, path) for method in ("documentSymbol", "semanticTokens/full")}
    for place in places:
        for method in ("hover", "definition"):
            found[method, place] = e.at(method, path, *place)
    return found


def is_stale(what, path, t, seen, expected):
    if seen == expected:
        return
    with open("text.mo", "w", newline="") as f:
        f.write(t.text)
    more = "\n".join(json.dumps(x)[:2000] for x in (seen, expected))
    check("%s of %s is not stale" % (what, path), False, more)


def compare(e, r, path, texts):
    """A new server with the same texts says the same."""
    t = texts[path]
    places = [t.position(r.randrange(len(t.text) + 1)) for _ in range(3)]
    seen, seen_answers = e.problems(path, e.versions[path]), answers(e, path, places)
    fresh = Editor(root="L")
    for other in [p for p in texts if p != path] + [path]:
        fresh.open(other, texts[other].text)
    is_stale("the list of problems", path, t, seen, fresh.problems(path))
    fresh_answers = answers(fresh, path, places)
    for about in fresh_answers:
        is_stale("the answer to %s" % (about,), path, t, seen_answers[about], fresh_answers[about])
    check("the new server ends well", fresh.end() == 0)


def type_into(e, r, path, texts):
    t, asked = texts[path], []
    for _ in range(r.randrange(1, 40)):
        edit(e, r, path, t)
        if r.random() < 0.3:
            asked.append(ask(e, r, path, t))
    edit(e, r, path, t)
    for method, number in asked:
        answer = e.answer(number, 120)
        error = answer.get("error", {})
        check("%s in %s" % (method, path), error.get("code") != -32603, answer)


def megabytes(process):
    with open("/proc/%d/status" % process.pid) as f:
        return [int(line.split()[1]) / 1024 for line in f if line.startswith("VmRSS")][0]


def test_typing():
    """One server for the whole time. Up to three files are open at once, all of them changed."""
    seed = int(os.environ.get("KAIROS_MUTATION_SEED", "1"))
    seconds = float(os.environ.get("KAIROS_MUTATION_SECONDS", "8"))
    until = time.monotonic() + seconds
    all_files, r, texts, rounds, edits = files(), random.Random(seed), {}, 0, 0
    e = Editor(root="L")
    while time.monotonic() < until or not rounds:
        if len(texts) == 3:
            closed = r.choice(sorted(texts))
            e.close_document(closed)
            del texts[closed]
        path = r.choice(all_files) if r.random() < 0.7 or not texts else r.choice(sorted(texts))
        if path not in texts:
            texts[path] = Text(path)
            e.open(path)
        before = e.versions[path]
        type_into(e, r, path, texts)
        compare(e, r, path, texts)
        e.seen.clear()
        rounds, edits = rounds + 1, edits + e.versions[path] - before
    memory = megabytes(e.process)
    check("the server needs less than 200 MB", memory < 200 or SANITIZED, memory)
    check("the server ends well", e.end() == 0)
    if seconds > 60:
        print("%d files, %d edits, %.0f MB" % (rounds, edits, memory))


program.run_tests()
