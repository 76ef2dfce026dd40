"""Every model that docs/rules.md names is there: rules.py KAIROS. Says what is missing and exits with 1."""
import os, re, sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
rows = [line for line in open(os.path.join(TOP, "docs/rules.md")) if line.startswith("|")]
names = re.findall(r"`([\w./]+/[\w.]+)`", "".join(rows))
missing = [n for n in names if not any(os.path.exists(os.path.join(TOP, "tests/models", n + ending)) for ending in ("", ".mo"))]
for n in missing:
    print("docs/rules.md names %s, which is not there" % n)
sys.exit(1 if missing or len(names) < 100 else 0)
