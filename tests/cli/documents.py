"""Models of the documentation run, or are rejected as the text before them says."""
import glob, os, re, shlex, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import TOP, call, check, write


def models():
    """Texts in Modelica that hold a complete model, with the paragraph before."""
    for path in sorted(
        glob.glob(os.path.join(TOP, "docs", "*.md")) + [os.path.join(TOP, "README.md")]
    ):
        if path.endswith("diagnostics.md"):  # tests/cli/diagnostics.py
            continue
        with open(path, encoding="utf-8") as f:
            text = f.read()
        for m in re.finditer(r"```modelica\n(.*?)```", text, re.S):
            name = re.match(r"(?:model|package) (\w+)", m[1])
            if name and "end %s;" % name[1] in m[1] and m[1].startswith("model"):
                yield path, name[1], m[1], text[: m.start()].rstrip().split("\n\n")[-1]


def test_models_run_or_are_rejected():
    found = list(models())
    check("there are models", len(found) > 5, len(found))
    for path, name, text, before in found:
        rc, _, err = call("simulate", write(name + ".mo", text), "--output", "r.csv", "--quiet")
        told = re.search(r"rejected \((\w\d+)\):$", before)
        good = "error[%s]" % told[1] in err if told else rc == 0
        check("%s: model %s" % (path, name), good, "exit %d\n%s" % (rc, err))


def shape(text):
    """Text without its numbers, which depend on the machine in their last digits."""
    return re.sub(r"-?\d+(\.\d+)?(e[-+]\d+)?", "#", text)


def test_logs_of_the_tutorial():
    with open(os.path.join(TOP, "docs/tutorial.md"), encoding="utf-8") as f:
        text = f.read()
    for name, log in ("Ball", "events"), ("HalfWave", "modes"):
        model = re.search(r"```modelica\n(model %s .*?)```" % name, text, re.S)[1]
        rc, _, err = call("simulate", write(name + ".mo", model), "--output", "r.csv", "--log", log)
        shown = re.search(r"```\n((?:Event|Mode) at.*?)```", text[text.index(model) :], re.S)[1]
        check("the log of %s" % name, rc == 0 and shape(shown) in shape(err), err)


def write_models(text):
    """Writes each model of a document to a file of its name."""
    for model, name in re.findall(r"```modelica\n(model (\w+).*?)```", text, re.S):
        write(name + ".mo", model)


def test_commands_of_the_tutorial():
    with open(os.path.join(TOP, "docs/tutorial.md"), encoding="utf-8") as f:
        text = f.read()
    write_models(text)
    commands = re.findall(
        r"^kairos .*", "\n".join(re.findall(r"```sh\n(.*?)```", text, re.S)), re.M
    )
    inline = re.findall(r"`kairos ((?:simulate|plot|report) [^`]*)`", text)
    for line in [c[len("kairos ") :] for c in commands] + inline:
        words = shlex.split(line)
        if words[0] == "lib" or words[1].startswith("Modelica."):
            continue  # needs the Standard Library
        rc, _, err = call(*words)
        check("kairos " + line, rc == 0, err)
    check("there are commands", len(commands) > 5, commands)


def test_commands_of_other_documents():
    for folder in "examples", "tests":
        os.symlink(os.path.join(TOP, folder), folder)
    fails = "tests/models/bad/singular_at.mo"
    pages = "README.md", "docs/library.md", "docs/numerics.md", "docs/variable-structure.md"
    for page in pages:
        with open(os.path.join(TOP, page), encoding="utf-8") as f:
            text = f.read()
        write_models(text)
        fences = re.findall(r"```(\w*)\n(.*?)```", text, re.S)
        blocks = "\n".join(block for kind, block in fences if kind in ("", "sh"))
        verbs = "simulate|plot|diagram|equations"
        found = re.findall(r"^(?:build/)?kairos ((?:%s) .*)" % verbs, blocks, re.M)
        for line in found:
            rc, _, err = call(*shlex.split(line))
            check("%s: kairos %s" % (page, line), rc == (3 if fails in line else 0), err)
        check("%s has commands" % page, found)


def classes_of_hybrid():
    """Path and name of each class of the library that a user can declare or run."""
    for path in glob.glob(os.path.join(TOP, "library/Hybrid/*.mo")):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        package = os.path.basename(path)[: -len(".mo")]
        inner = ""
        for indent, kind, name in re.findall(r"^( +)(package|model|block) (\w+) ", text, re.M):
            if len(indent) == 2:
                inner = name if kind == "package" else ""
            if kind != "package" and len(indent) <= 4:
                yield [package] + ([inner] if inner else []), name


def test_the_page_of_hybrid_names_its_classes():
    with open(os.path.join(TOP, "docs/library.md"), encoding="utf-8") as f:
        sections = dict(re.findall(r"^## (.*)\n((?:(?!## ).*\n)*)", f.read(), re.M))
    parts = {"Machine", "Controller", "Mode"}  # of examples
    found = [(path, name) for path, name in classes_of_hybrid() if name not in parts]
    for path, name in found:
        section = [text for title, text in sections.items() if "Hybrid." + path[0] in title]
        lines = [line for line in section[0].split("\n") if len(path) == 1 or path[1] in line]
        check(".".join(path + [name]), any("`%s`" % name in line for line in lines))
    check("there are classes", len(found) > 80, len(found))


def test_pictures_exist_and_links_lead_somewhere():
    for path in glob.glob(os.path.join(TOP, "docs", "*.md")) + [os.path.join(TOP, "README.md")]:
        with open(path, encoding="utf-8") as f:
            text = re.sub(r"```.*?```", "", f.read(), flags=re.S)
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            target = os.path.join(os.path.dirname(path), link)
            check("%s: %s" % (path, link), os.path.exists(target))


program.run_tests()
