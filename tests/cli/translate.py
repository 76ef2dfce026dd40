"""kairos translate: the Modelica text of a file in an older notation gives the same result as the file itself."""
import glob, os, subprocess, sys

kairos = sys.argv[1]
top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(top, "tests"))
import models

failed = 0
files = [f for folder in ("tests/models", "examples") for suffix in ("dym", "om")
         for f in sorted(glob.glob(os.path.join(top, folder, "**/*." + suffix), recursive=True))]
for path in files:
    expected = models.Expectations(path)
    if not expected.wants_run():
        continue
    p = subprocess.run([kairos, "translate", path, "-o", "t.mo"], stderr=subprocess.PIPE)
    for name, source in (("a.csv", path), ("b.csv", "t.mo")):
        p = subprocess.run([kairos, "simulate", source, *expected.options, "--output", name, "--quiet"], stderr=subprocess.PIPE)
        if p.returncode:
            print(source, p.stderr.decode())
            failed += 1
    if open("a.csv").read() != open("b.csv").read():
        print(path + ": the translated model gives another result")
        failed += 1
if not files:
    print("no files in older notations")
sys.exit(1 if failed or not files else 0)
