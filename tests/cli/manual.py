"""Manual pages. Each option that help lists is in the page of the command, and
groff and mandoc find nothing wrong, if they are installed."""
import os, re, shutil, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import TOP, call, check

SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "SEE ALSO"]


def commands():
    with open(os.path.join(TOP, "cli/commands.def")) as f:
        return re.findall(r"^COMMAND\((\w+)\)", f.read(), re.M)


def is_entry(word, text):
    return re.search(r"^\.TP\n%s$" % re.escape(word), text, re.M)


def lint(name, page):
    for tool, *options in (
        ["groff", "-man", "-ww", "-z", "-Tutf8"],
        ["mandoc", "-T", "lint", "-W", "warning"],
    ):
        if shutil.which(tool):
            p = subprocess.run(
                [tool, *options],
                input=page.encode(),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            told = [line for line in p.stdout.decode().splitlines() if "missing date" not in line]
            check("%s: %s" % (tool, name), not told, "\n".join(told))


def plain(page):
    """The words of a page without its fonts and escapes."""
    text = re.sub(r"\\f[BIR]|\\&", "", page)
    return text.replace("\\-", "-").replace("\\(aq", "'").replace("\\e", "\\")


def check_page(name):
    rc, page, err = call("manual", *name)
    check("page of %s" % name, rc == 0 and not err, err)
    lint(name, page)
    text = plain(page)
    sections = re.findall(r"^\.SH (.*)$", text, re.M)
    check("sections of %s" % name, [s for s in sections if s in SECTIONS] == SECTIONS, sections)
    return text


def check_command(name):
    text, help_ = check_page([name]), call(name, "--help")[1]
    listed = re.findall(r"^  (-.*?)(?:  |$)", help_, re.M)
    check("options of " + name, len(listed) >= 3, help_)
    for option in listed:
        check("%s is in kairos-%s(1)" % (option, name), is_entry(option, text))
    choices = re.findall(r"^ {27}(\S+)  ", help_, re.M)
    for choice in choices:
        check("%s is in kairos-%s(1)" % (choice, name), is_entry(choice, text))


def test_pages():
    names = commands()
    text, overview = check_page([]), call("--help")[1]
    check("commands", len(names) > 10, names)
    for name in names:
        check(name + " is in kairos(1)", is_entry(name, text) and "kairos-%s (1)" % name in text)
        check(name + " is in --help", re.search(r"^  %s +\w" % name, overview, re.M))
        check_command(name)
    for section in ("ENVIRONMENT", "FILES", "EXAMPLES"):
        check("section " + section, "\n.SH %s\n" % section in text)


def test_unknown_command():
    for name in ("none-such", "studio-fork-server"):
        check("no page of " + name, call("manual", name)[0] == 2)


program.run_tests()
