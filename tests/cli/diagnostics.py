"""Each code of a diagnostic is explained, and its example causes it."""
import importlib.machinery, importlib.util, os, re, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import KAIROS, TOP, call, check, write

# No small model causes these: limits, defects of Kairos, and checks behind earlier ones.
NO_EXAMPLE = set("S018 I111 I113 I115 I118 F005 D004 D005 D015 T002 T003 T006".split())
NO_EXAMPLE |= set("C001 C002 R013 R027 U009 U012 U014 U018 X001".split())
NO_EXAMPLE |= set("U052 U053 U054 U055 U056 U057".split())


def tool():
    path = os.path.join(TOP, "tools/list-diagnostics")
    loader = importlib.machinery.SourceFileLoader("list_diagnostics", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def write_files(lines):
    """Files of an example: a line '// NAME' begins one; the first is M.mo unless named."""
    name, texts = "M.mo", {}
    for line in lines:
        begin = re.fullmatch(r"// ([\w/]+\.\w+)", line)
        if begin:
            name = begin[1]
        texts.setdefault(name, [])
        if not begin:
            texts[name].append(line)
    for name, text in texts.items():
        if os.path.dirname(name):
            os.makedirs(os.path.dirname(name), exist_ok=True)
        write(name, "\n".join(text) + "\n")


def run_example(code, lines):
    """The output of the commands of an example."""
    os.makedirs(code)
    os.chdir(code)
    write_files([line for line in lines if not line.startswith("$ ")])
    usual = "kairos simulate M.mo" if code[0] in "CR" else "kairos check M.mo"
    commands = [line[2:] for line in lines if line.startswith("$ ")] or [usual]
    path = os.path.dirname(KAIROS) + os.pathsep + os.environ["PATH"]
    shell = ["bash", "-c", "\n".join(commands)]
    p = subprocess.run(
        shell, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=dict(os.environ, PATH=path)
    )
    os.chdir("..")
    return p.stdout.decode("utf-8", "replace")


def test_document_is_up_to_date():
    module = tool()
    check(
        "docs/diagnostics.md",
        module.document() == module.read(module.TARGET),
        "run tools/list-diagnostics",
    )


def test_every_code_is_explained():
    module = tool()
    codes, entries = [row[0] for row in module.rows()], module.entries()
    check("codes are explained", sorted(codes) == sorted(entries), set(codes) ^ set(entries))
    for code, paragraphs in entries.items():
        check(code + " has a fix", paragraphs[-1].startswith("Fix: "))
        wide = [line for p in paragraphs for line in p.split("\n") if len(line) > 79]
        check(code + " has short lines", not wide, wide)


def test_examples_cause_their_code():
    module = tool()
    severities = {row[0]: row[1] for row in module.rows()}
    for code, paragraphs in module.entries().items():
        examples = [p for p in paragraphs if p.startswith("    ")]
        check(code + " has an example", len(examples) == (code not in NO_EXAMPLE), len(examples))
        if examples:
            out = run_example(code, module.unindent(examples[0]))
            check(code, "%s[%s]" % (severities[code], code) in out, out)


def test_explain():
    rc, out, err = call("explain", "r006")
    check("explains a code", rc == 0 and out.startswith("R006 (error): infinitely many"), out)
    check("with example and fix", "der(x) = if x > 0" in out and "\nFix: " in out, out)
    check("and no other", "[R007]" not in out and out.endswith("mode.\n"), out[-80:])
    rc, out, err = call("explain", "I001")
    check("names the section", rc == 0 and "Modelica 3.6, section 5.3\n" in out, out)
    rc, out, err = call("explain")
    codes = [row[0] for row in tool().rows()]
    check("lists all codes", rc == 0 and [line[:4] for line in out.splitlines()] == codes, out)


def test_unknown_code():
    for wrong, right in ("R021", "R020"), ("r6", "R006"), ("I43", "I042"), ("F4", "F004"):
        rc, out, err = call("explain", wrong)
        good = rc == 2 and not out and "did you mean %s (" % right in err
        check("%s is near %s" % (wrong, right), good, err)
    rc, out, err = call("explain", "R-2147483648")
    check("numbers that no int holds", rc == 2 and "did you mean R" in err, err)
    rc, out, err = call("explain", "R006", "R007")
    check("one code at a time", rc == 2 and "one code" in err, err)


program.run_tests()
