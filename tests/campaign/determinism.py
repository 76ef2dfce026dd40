"""Same input, same bytes: examples are run twice, the second time in another folder, with another
home, locale and folder for temporary files. Results, plots, flat models, C texts, FMUs and messages
must have the same bytes.

usage: determinism.py KAIROS [--count N] [--seed N]"""
import argparse, glob, hashlib, os, random, re, subprocess, sys, tempfile, zipfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PLACES = (
    {"LC_ALL": "C", "TZ": "UTC", "COLUMNS": "80"},
    {"LC_ALL": "de_DE.UTF-8", "TZ": "Asia/Tokyo", "COLUMNS": "200", "LANG": "tr_TR.UTF-8"},
)


def commands(file):
    yield ["simulate", file, "--output", "r.csv", "--plot", "p.svg", "--events", "e.json"]
    yield ["simulate", file, "--output", "r.mat", "--plot", "p.png", "--compiler", "tcc"]
    yield ["flatten", file, "-o", "flat.mo"]
    yield ["simulate", file, "--output", "c.csv", "--emit-c", "model.c", "--solver", "cvode"]
    yield ["fmu", file, "-o", "m.fmu"]
    yield ["check", file, "--diagnostics", "json"]


def contents(path):
    if zipfile.is_zipfile(path):  # apart from the date of its making
        with zipfile.ZipFile(path) as z:
            data = b"".join(n.encode() + z.read(n) for n in z.namelist())
        return re.sub(rb'generationDateAndTime="[^"]*"', b"", data)
    with open(path, "rb") as f:
        return f.read()


def outcome(kairos, file, settings, jobs):
    """Bytes of everything that the commands write and print."""
    with tempfile.TemporaryDirectory(prefix="kairos-%d-" % jobs) as top:
        work = os.path.join(top, "x" * jobs, "work")
        os.makedirs(work)
        os.makedirs(os.path.join(top, "tmp"))
        env = dict(
            PATH=os.environ["PATH"],
            HOME=os.path.join(top, "home"),
            TMPDIR=os.path.join(top, "tmp"),
            **settings
        )
        found = {}
        name = os.path.basename(file)
        with open(os.path.join(work, name), "wb") as f:
            f.write(contents(file))
        for words in commands(name):
            try:
                p = subprocess.run(
                    [kairos, *words],
                    cwd=work,
                    env=env,
                    capture_output=True,
                    stdin=subprocess.DEVNULL,
                    timeout=120,
                )
            except subprocess.TimeoutExpired:
                return {"no end": " ".join(words)}
            text = re.sub(rb"\d+(\.\d+)? (ms|s)\b", b"TIME", p.stdout + p.stderr)
            found[" ".join(words[:3])] = (p.returncode, text)
        for name in sorted(os.listdir(work)):
            found[name] = hashlib.sha1(contents(os.path.join(work, name))).hexdigest()
        return found


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("kairos")
    ap.add_argument("--count", type=int, default=1000)
    ap.add_argument("--seed", type=int, default=1)
    args = ap.parse_args()
    kairos = os.path.abspath(args.kairos)
    files = sorted(glob.glob(os.path.join(TOP, "examples", "*.mo")))
    random.Random(args.seed).shuffle(files)
    different = 0
    for file in files[: args.count]:
        a, b = (outcome(kairos, file, s, jobs) for jobs, s in enumerate(PLACES, 1))
        parts = [k for k in sorted({**a, **b}) if a.get(k) != b.get(k)]
        different += bool(parts)
        if parts:
            print("%s: %s differ" % (os.path.basename(file), ", ".join(parts)), flush=True)
    print("%d models, %d differ" % (len(files[: args.count]), different))
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
