#!/usr/bin/env python3
"""table.py KAIROS

Every row of the tables in docs/seeds.md names at least one test or example, and all that it names
exist: files, functions of pages (FILE.py:test_NAME) and classes of the library Hybrid. Every
section of a page stands in a table.
"""
import glob, os, re, sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def read(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as f:
        return f.read()


def rows(text):
    """Line number and cells of the rows of tables, headings apart."""
    lines = text.splitlines()
    for k, line in enumerate(lines):
        rule = re.match(r"\|[-| ]+\|$", line)
        heading = k + 1 < len(lines) and re.match(r"\|[-| ]+\|$", lines[k + 1])
        if line.startswith("|") and not rule and not heading:
            yield k + 1, line.strip("|").split("|")


def missing(name, folder):
    """The reason why a name of a file or a function does not exist; None if it exists. A name
    without a folder belongs to the folder of the name before."""
    path, _, function = name.partition(":")
    if "/" not in path:
        path = os.path.join(folder, path)
    if not os.path.exists(os.path.join(TOP, path)):
        return "%s does not exist" % path
    if function and not re.search(r"^def %s\(" % re.escape(function), read(path), re.M):
        return "%s has no function %s" % (path, function)
    return None


def library_classes():
    """The names of all classes of the library, without their packages."""
    found = set()
    for file in glob.glob(os.path.join(TOP, "library/Hybrid/*.mo")):
        found |= set(re.findall(r"^\s*(?:\w+ )*(?:model|block|package) (\w+)", read(file), re.M))
    return found


def check(text):
    known, mistakes, named = library_classes(), [], set()
    for number, cells in rows(text):
        folder, tests = "", 0
        for name in re.findall(r"`([^`]+)`", cells[1]):
            if name.startswith("Hybrid."):
                tests += 1
                if name.split(".")[-1] not in known:
                    mistakes.append("line %d: the library has no %s" % (number, name))
            elif re.match(r"[\w./-]+\.(mo|dym|om|ocl|py|c)(:\w+)?$", name):
                tests += 1
                error = missing(name, folder)
                if error:
                    mistakes.append("line %d: %s" % (number, error))
                folder = os.path.dirname(name.partition(":")[0]) or folder
                named.add(os.path.join(folder, os.path.basename(name)))
        if not tests and not cells[1].strip().startswith("`--"):
            mistakes.append("line %d names no test: %s" % (number, cells[0].strip()))
    return mistakes, named


def main():
    mistakes, named = check(read("docs/seeds.md"))
    for file in sorted(glob.glob(os.path.join(TOP, "tests/papers/*.py"))):
        path = os.path.relpath(file, TOP)
        for function in re.findall(r"^def (test_\w+)\(", read(path), re.M):
            if path + ":" + function not in named:
                mistakes.append("docs/seeds.md does not name %s:%s" % (path, function))
    print("\n".join(mistakes))
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
