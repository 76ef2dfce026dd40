#!/usr/bin/env python3
"""Lines have at most 100 columns. Prints each longer one with its place.

Left out, since a break would change their meaning: expectations in models, lines inside strings of
several lines in Python, which are texts of models and scripts, and tables and code in documents.
"""
import io, os, subprocess, sys, tokenize

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIMIT = 100
ENDINGS = ["c", "h", "def", "cmake", "py", "js", "css", "mo", "md"]


def inside_strings(text):
    """Numbers of the lines that belong to a string of several lines and are not documentation."""
    lines, before = set(), None
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        documents = before in (None, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
        if token.type == tokenize.STRING and not documents:
            first, last = token.start[0], token.end[0]
            lines.update(range(first, last + 1) if last > first else ())
        if token.type not in (tokenize.NL, tokenize.COMMENT, tokenize.ENCODING):
            before = token.type
    return lines


def tables_and_code(text):
    """Numbers of the lines of a document that are rows of tables or belong to code."""
    lines, fenced = set(), False
    for number, line in enumerate(text.splitlines(), 1):
        fence = line.lstrip().startswith("```")
        fenced ^= fence
        if fence or fenced or line.startswith(("|", "    ")):
            lines.add(number)
    return lines


def long_lines(name, text):
    """Yields (line number, columns) of lines that are too long."""
    kept = inside_strings(text) if name.endswith(".py") else ()
    kept = tables_and_code(text) if name.endswith(".md") else kept
    for number, line in enumerate(text.splitlines(), 1):
        expectation = name.endswith(".mo") and line.lstrip().startswith("// expect")
        if len(line) > LIMIT and not expectation and number not in kept:
            yield number, len(line)


def check():
    patterns = ["*." + ending for ending in ENDINGS]
    files = subprocess.run(
        [os.path.join(TOP, "packaging/files"), *patterns], stdout=subprocess.PIPE, text=True
    ).stdout.split()
    found = 0
    for name in files:
        with open(os.path.join(TOP, name), encoding="utf-8") as f:
            for number, columns in long_lines(name, f.read()):
                print("%s:%d: %d columns; the limit is %d" % (name, number, columns, LIMIT))
                found += 1
    assert len(files) > 1000, "too few files"
    return found


def test_rules():
    long = "x" * 101
    assert list(long_lines("a.c", "int x;\n" + long)) == [(2, 101)]
    assert list(long_lines("a.mo", "// expect x(1) = " + long)) == []
    assert list(long_lines("a.mo", "// " + long)) == [(1, 104)]
    assert list(long_lines("a.py", 'M = """\n%s\n"""' % long)) == []
    assert list(long_lines("a.py", '"""Says\n%s\n"""' % long)) == [(2, 101)]
    assert list(long_lines("a.py", 'M = "%s"' % long)) == [(1, 107)]
    assert list(long_lines("a.md", "| %s |\n```\n%s\n```\n%s" % (long, long, long))) == [(5, 101)]


if __name__ == "__main__":
    test_rules()
    sys.exit(1 if check() else 0)
