"""Models of the documentation run, or are rejected as the text before them says: documents.py KAIROS. Runs in an empty folder; says what is wrong and exits with 1."""
import glob, os, re, subprocess, sys

KAIROS = sys.argv[1]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def models():
    """Texts in Modelica that hold a complete model, with the paragraph before."""
    for path in sorted(glob.glob(os.path.join(TOP, "docs", "*.md")) + [os.path.join(TOP, "README.md")]):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        for m in re.finditer(r"```modelica\n(.*?)```", text, re.S):
            name = re.match(r"(?:model|package) (\w+)", m[1])
            if name and "end %s;" % name[1] in m[1] and m[1].startswith("model"):
                yield path, name[1], m[1], text[:m.start()].rstrip().split("\n\n")[-1]


def main():
    failed = 0
    for path, name, text, before in models():
        with open(name + ".mo", "w") as f:
            f.write(text)
        p = subprocess.run([KAIROS, "simulate", name + ".mo", "--output", "r.csv", "--quiet"], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        errors, told = p.stderr.decode(), re.search(r"rejected \((\w\d+)\):$", before)
        if ("error[%s]" % told[1] not in errors) if told else p.returncode:
            print("%s: model %s: exit %d\n%s" % (path, name, p.returncode, errors))
            failed += 1
    return failed


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
