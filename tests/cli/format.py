"""kairos format: comments, strings and tokens stay, the tree stays, a second pass changes nothing.
The files are our own models and, if KAIROS_MSL names its folder, all of the Standard Library."""
import glob, os, re, shutil, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import KAIROS, TOP, call, check, write

# Tokens and comments of Modelica, by a second method: regular expressions.
PIECE = re.compile(
    rb'"(?:[^"\\]|\\.)*"|//[^\r\n]*|/\*.*?\*/|'
    rb"'(?:[^'\\\r\n]|\\.)*'|[A-Za-z_]\w*|\d+\.?\d*(?:[eE][+-]?\d+)?|"
    rb":=|<=|>=|==|<>|\.[-+*/^]|[^\sA-Za-z_\d]",
    re.S,
)
UGLY = """within ;
model  A "d"   // trailing
 parameter Real k =1;Real x( start = 1 ) ; /* block
    comment */
 equation
   // own line
      der(x)=- k * x;if k>0 then x=1 ; else x = if k<0 then 1 else 2;end if ;
annotation( Icon( graphics = {g} ) );
end A;
"""
NICE = """within;
model A "d" // trailing
  parameter Real k=1;
  Real x(start=1); /* block
    comment */
equation
  // own line
  der(x) = -k*x;
  if k > 0 then
    x = 1;
  else
    x = if k < 0 then 1 else 2;
  end if;
  annotation( Icon( graphics = {g} ) );
end A;
"""


def pieces(text):
    found = [m.group(0) for m in PIECE.finditer(text)]
    return [p.rstrip() if p.startswith(b"//") else p for p in found]


def read(path):
    with open(path, "rb") as f:
        return f.read()


def formatted(text, *options):
    p = subprocess.run(
        [KAIROS, "format", "--stdin", *options], input=text.encode(), stdout=-1, stderr=-1
    )
    return p.returncode, p.stdout.decode(), p.stderr.decode()


def keep_properties(folder, *options):
    """Formats all files of a folder, which is a copy, and checks what must not change."""
    files = sorted(glob.glob(os.path.join(folder, "**/*.mo"), recursive=True))
    before = {f: read(f) for f in files}
    good = []
    for i in range(0, len(files), 500):
        rc, out, err = call("format", *options, *files[i : i + 500], timeout=600)
        broken = set(re.findall(r"(?m)^(\S+\.mo):\d+:\d+: error", err))
        good += [f for f in files[i : i + 500] if f not in broken]
        for f in broken:
            check("%s has an error and is not changed" % f, read(f) == before[f])
        check("no formatted text has another meaning", "X001" not in err, err)
    for f in good:
        check("%s keeps its tokens and comments" % f, pieces(read(f)) == pieces(before[f]))
    for i in range(0, len(good), 500):
        rc, out, err = call("format", "--check", *options, *good[i : i + 500], timeout=600)
        check("a second pass changes nothing", rc == 0 and not out, out + err)
    return good, before


def copy_of(source, name):
    def others(folder, names):
        return [x for x in names if "." in x and not x.endswith(".mo")]

    shutil.copytree(source, name, ignore=others)
    subprocess.run(["chmod", "-R", "u+w", name], check=True)
    return name


def test_style():
    check("the style", formatted(UGLY) == (0, NICE, ""), formatted(UGLY))
    rc, out, _ = formatted(UGLY, "--annotations")
    check("annotations on request", "  annotation (Icon(graphics={g}));\n" in out, out)
    text = "model A\n  Real x[2, :]=[a[1, :]; .M.f(-1), 1. *2 .* 3^2];\n  import A.B.*;\nend A;\n"
    check("signs and dots", formatted(text)[1] == text, formatted(text))


def test_tree_stays():
    """The tree as text, printed by another part of the program."""
    copy_of(os.path.join(TOP, "examples"), "e")
    trees = {}
    files = sorted(glob.glob("e/**/*.mo", recursive=True))
    for f in files:
        trees[f] = call("translate", f)
    good, before = keep_properties("e")
    check("all examples are formatted", len(good) == len(files) and files)
    check("some of them have changed", any(read(f) != before[f] for f in good))
    for f in good:
        check("%s has the same tree" % f, call("translate", f) == trees[f])


def test_our_models():
    copy_of(os.path.join(TOP, "tests/models"), "m")
    good, _ = keep_properties("m")
    check("most of our models can be formatted", len(good) > 500, len(good))
    copy_of(os.path.join(TOP, "library"), "l")
    keep_properties("l", "--annotations")


def test_standard_library():
    folder = os.environ.get("KAIROS_MSL")
    if not folder:
        return
    for options in ((), ("--annotations",)):
        shutil.rmtree("s", ignore_errors=True)
        copy_of(folder, "s")
        good, _ = keep_properties("s", *options)
        check("all files of the library are formatted", len(good) > 2000, len(good))


def test_line_ends_and_mark():
    for mark in ("", "\ufeff"):
        text = mark + UGLY.replace("\n", "\r\n")
        rc, out, err = call_raw(text.encode())
        check("CR LF stays", out == (mark + NICE.replace("\n", "\r\n")).encode(), out)


def call_raw(data):
    p = subprocess.run([KAIROS, "format", "--stdin"], input=data, stdout=-1, stderr=-1)
    return p.returncode, p.stdout, p.stderr


def test_modes():
    write("a.mo", UGLY)
    os.chmod("a.mo", 0o640)
    rc, out, err = call("format", "--check", "a.mo")
    check("--check names the file", (rc, out) == (1, "a.mo\n"), (rc, out, err))
    rc, out, err = call("format", "--diff", "a.mo")
    check("--diff succeeds", rc == 0 and out.startswith("--- a.mo\n+++ a.mo\n@@ -1,"), out)
    check("both change nothing", open("a.mo").read() == UGLY)
    shutil.copy("a.mo", "b.mo")
    patch = subprocess.run(["patch", "b.mo"], input=out.encode(), stdout=-1, stderr=-1)
    if patch.returncode == 0 or patch.stderr:
        check("the difference can be applied", open("b.mo").read() == NICE, patch.stderr)
    rc, out, err = call("format", "a.mo")
    check("rewritten in place", (rc, out, open("a.mo").read()) == (0, "", NICE), err)
    check("the mode of the file stays", os.stat("a.mo").st_mode & 0o777 == 0o640)
    rc, out, err = call("format", "--check", "--diff", "a.mo")
    check("nothing to do", (rc, out) == (0, ""), out)


def test_mistakes():
    write("bad.mo", "model A\n  Real x\nequation\nend A;\n")
    write("good.mo", UGLY)
    rc, out, err = call("format", "bad.mo", "good.mo")
    check("an error is reported", rc == 1 and "bad.mo:2" in err, err)
    check("the other file is formatted", open("good.mo").read() == NICE)
    check("the bad one is not changed", open("bad.mo").read().startswith("model A\n  Real x\n"))
    check("a missing file", call("format", "none.mo")[0] == 2)
    check("no file", call("format")[0] == 2)
    check("another notation", call("format", "a.dym")[0] == 2)
    check("a file and --stdin", call("format", "--stdin", "good.mo")[0] == 2)
    check("an empty text", formatted("") == (0, "", ""), formatted(""))


program.run_tests()
