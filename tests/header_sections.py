#!/usr/bin/env python3
"""A comment of a header that begins with names of files, such as "---- jump.c ----", is the heading
of the prototypes below it. Each must be defined in one of these files, and every prototype
somewhere. Prints those that are not."""
import glob, os, re, sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HEADING = re.compile(r"/\* (?:---- )?((?:[\w/]+\.c(?:, | and )?)+)")
OTHER = re.compile(r"/\* ---- ")
PROTOTYPE = re.compile(r"(?!static|typedef|#)[A-Za-z][\w *]*?\b(\w+)\([^;{}]*\)[^;{]*;")
DEFINITION = re.compile(r"^(?!static)[A-Za-z][\w *]*?\b(\w+)\([^;{]*\)\n\{", re.M)


def sources(ending):
    folders = "src/**/*.", "cli/*.", "studio/*."
    names = (glob.glob(os.path.join(TOP, f + ending), recursive=True) for f in folders)
    return sorted(name for group in names for name in group)


def read(name):
    with open(name, encoding="utf-8") as f:
        return f.read()


def prototypes(text):
    """Yields (function, files of its heading) of a header."""
    files = []
    for start in re.finditer("^", text, re.M):
        heading = HEADING.match(text, start.start())
        prototype = PROTOTYPE.match(text, start.start())
        if heading:
            files = re.findall(r"\w+\.c", heading[1])
        elif OTHER.match(text, start.start()):
            files = []
        elif prototype:
            yield prototype[1], files


def check():
    places = {}
    for name in sources("c"):
        for function in DEFINITION.findall(read(name)):
            places.setdefault(function, set()).add(os.path.basename(name))
    found = count = 0
    for header in sources("h"):
        for function, files in prototypes(read(header)):
            place = places.get(function, set())
            count += 1
            if place and (not files or place & set(files)):
                continue
            where = "%s: %s" % (os.path.relpath(header, TOP), function)
            print(where, "stands below %s, but" % ", ".join(files) if place else "", end=" ")
            print("is defined in", ", ".join(sorted(place)) or "no file")
            found += 1
    assert count > 1000, "too few prototypes"
    return found


def test_rules():
    text = "/* ---- a.c, b.c ---- */\nint f(void);\n/* ---- data ---- */\nvoid g(int x);\n"
    assert list(prototypes(text)) == [("f", ["a.c", "b.c"]), ("g", [])]
    assert list(prototypes("/* a.c: rules */\nint\nf(int x,\n  int y);\n")) == []
    assert list(prototypes("/* a.c: rules */\nint f(int x,\n  int y);\n")) == [("f", ["a.c"])]


if __name__ == "__main__":
    test_rules()
    sys.exit(1 if check() else 0)
