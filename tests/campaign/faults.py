"""Every call of the system fails once. Commands run under strace, which lets the n-th call of a
kind fail. After each run:

- the program has ended by itself, in time, and not by a signal;
- with status 0, all files are as those of an undisturbed run; with another status, there is a
  message, and each file is whole or absent;
- the input files are unchanged, and no other file is left, also not among temporary files.

usage: faults.py KAIROS [--count N] [--seconds S] [--seed N] [--only COMMAND] [--calls KINDS]"""
import argparse, collections, hashlib, math, os, random, re, subprocess, sys, tempfile, time
import zipfile

MODEL = """model Ball
  parameter Real e = 0.7;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  output Real y = h;
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -e*pre(v));
  end when;
end Ball;
"""
STUDY = """model: Ball.mo
stop-time: 1
factors:
  e: {values: [0.5, 0.6]}
design: {kind: grid}
keep: {last: end(h)}
output: {file: s.h5}
"""
INPUTS = {
    "Ball.mo": MODEL,
    "Untidy.mo": "model   Untidy\nReal x;equation\n   x=1;   end Untidy;\n",
    "study.yaml": STUDY,
    "data.csv": "time,h\n"
    + "".join("%r,%r\n" % (t / 20, 1 - 4.905 * (t / 20) ** 2) for t in range(9)),
    "page.csv": "time,a\n0,1\n0.5,2\n1,1\n",
}
COMMANDS = {  # name: words; files that it may change or write in part
    "simulate": ("simulate Ball.mo --output r.csv", ()),
    "mat": ("simulate Ball.mo --output r.mat", ()),
    "plot": ("simulate Ball.mo --output r.csv --plot p.png", ()),
    "cc": ("simulate Ball.mo --output r.csv --compiler cc", ()),
    "sweep": ("simulate Ball.mo --output r.csv --sweep e=0.5,0.6 --jobs 2", ("r_sweep.journal",)),
    "save": (
        "simulate Ball.mo --output r.csv --save-state s@0.3 --events e.json",
        ("r.csv", "e.json"),
    ),
    "page": ("plot page.csv a -o page.html", ()),
    "report": ("report Ball.mo -o report.html", ()),
    "fmu": ("fmu Ball.mo -o Ball.fmu", ()),
    "format": ("format Untidy.mo", ("Untidy.mo",)),
    "linearize": ("linearize Ball.mo -o l.json --mat l.mat --poles p.svg", ()),
    "fit": ("fit Ball.mo data.csv --parameters h.start -o f.json", ()),
    "study": ("study study.yaml --jobs 1", ("s.journal",)),
    "lib": ("lib add Lib.zip", ()),
    "diagram": ("diagram Ball.mo -o d.svg", ()),
}
CALLS = {  # kind: the error it returns
    "write": "ENOSPC", "pwrite64": "ENOSPC", "writev": "EIO", "openat": "EMFILE", "read": "EIO",
    "pread64": "EIO", "rename": "EACCES", "renameat": "EACCES", "renameat2": "EACCES",
    "link": "EPERM", "linkat": "EPERM", "unlink": "EACCES", "mkdir": "ENOSPC", "rmdir": "EACCES",
    "ftruncate": "ENOSPC", "fsync": "EIO", "fdatasync": "EIO", "close": "EIO", "fchmod": "EPERM",
    "mmap": "ENOMEM", "mprotect": "ENOMEM", "clone": "EAGAIN", "clone3": "EAGAIN",
    "vfork": "EAGAIN", "fork": "EAGAIN", "execve": "ENOENT", "pipe2": "EMFILE", "lseek": "ESPIPE",
    "getdents64": "EIO", "newfstatat": "EACCES", "memfd_create": "EMFILE", "dup2": "EMFILE",
    "socketpair": "EMFILE", "wait4": "ECHILD", "flock": "ENOLCK", "fcntl": "EINVAL",
    "uname": "EFAULT", "statfs": "EIO", "getcwd": "ENOENT",
}  # fmt: skip
LIMIT = 60


class Place:
    """A folder with the inputs, a home and a folder for temporary files."""

    def __init__(self, top):
        self.work, self.home, self.tmp = (os.path.join(top, n) for n in ("work", "home", "tmp"))
        for folder in (self.work, self.home, self.tmp):
            os.makedirs(folder)
        for name, text in INPUTS.items():
            with open(os.path.join(self.work, name), "w") as f:
                f.write(text)
        with zipfile.ZipFile(os.path.join(self.work, "Lib.zip"), "w") as z:
            entry = zipfile.ZipInfo("Lib/package.mo")  # with a fixed date
            z.writestr(entry, 'package Lib annotation(version = "1.0"); end Lib;\n')

    def run(self, kairos, words, options):
        env = {
            "PATH": os.environ["PATH"],
            "HOME": self.home,
            "TMPDIR": self.tmp,
            "KAIROS_DATA": os.path.join(self.home, "data"),
            "LC_ALL": "C.UTF-8",
        }
        command = ["strace", "-f", "-o", os.path.join(self.home, "trace"), *options, kairos, *words]
        try:
            p = subprocess.run(
                command,
                cwd=self.work,
                env=env,
                capture_output=True,
                text=True,
                errors="replace",
                stdin=subprocess.DEVNULL,
                timeout=LIMIT,
            )
            return p.returncode, p.stdout, p.stderr
        except subprocess.TimeoutExpired:
            return "no end", "", ""

    def files(self):
        """Path to contents (as a hash) of everything in the working and temporary folders."""
        found = {}
        for top in (self.work, self.tmp):
            for folder, folders, names in os.walk(top):
                for name in names + [f for f in folders if not os.listdir(os.path.join(folder, f))]:
                    full = os.path.join(folder, name)
                    found[os.path.relpath(full, os.path.dirname(self.work))] = digest(full)
        return found

    def trace(self):
        with open(os.path.join(self.home, "trace"), errors="replace") as f:
            return f.read()


# Times and paths that differ from run to run.
VARIES = [
    (rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ?", b"DATE"),
    (rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", b"GUID"),
    (rb"\d+(\.\d+)? (ms|s)\b", b"TIME"),
]


def digest(file):
    if os.path.islink(file) or not os.path.isfile(file):
        return "other"
    with open(file, "rb") as f:
        data = f.read()
    if zipfile.is_zipfile(file):  # the description has a date
        with zipfile.ZipFile(file) as z:
            data = b"".join(name.encode() + z.read(name) for name in z.namelist())
    for pattern, text in VARIES:
        data = re.sub(pattern, text, data)
    return hashlib.sha1(data).hexdigest()


def number_of_calls(trace):
    return collections.Counter(re.findall(r"^\d+ +(\w+)\(", trace, re.M))


def in_new_place(action):
    with tempfile.TemporaryDirectory(prefix="kairos-faults-") as top:
        return action(Place(top))


def undisturbed(kairos, words):
    """Files of a plain run, and how often each kind of call occurs: in the loader, and then."""

    def action(p):
        status, _, err = p.run(kairos, words, [])
        assert status == 0, err
        loading, running = p.trace().split("set_tid_address(", 1)
        return p.files(), number_of_calls(loading), number_of_calls(running)

    return in_new_place(action)


def wrong(p, before, plain, own, status, out, err):
    """What the run left wrong, or None."""
    if status == "no end":
        return "it does not end"
    if status < 0 or status in (134, 135, 136, 139):
        return "it ended by a signal (%d)" % status
    after = p.files()
    if status == 0 and set(plain) - set(after):
        return "status 0, and these files are missing: %s" % sorted(set(plain) - set(after))
    for name, value in after.items():
        if any(o in name for o in own):
            continue
        if name in before and before[name] != value:
            return "the input %s has changed" % name
        if name not in before and name not in plain:
            return "%s is left (status %d)" % (name, status)
        if name in plain and name not in before and plain[name] not in (None, value):
            return "%s is not as it should be (status %d)" % (name, status)
    lost = re.search(r" write\(2, .*INJECTED", p.trace())  # the message itself could not be written
    if status and not err.strip() and not out.strip() and not lost:
        return "status %d without a message" % status
    return None


def same_twice(kairos, words, first):
    """Files whose contents differ between two plain runs are not compared."""
    second, _, _ = undisturbed(kairos, words)
    return {name: v if second.get(name) == v else None for name, v in first.items()}


def cases(loading, running, kinds):
    for kind in kinds:
        for n in range(running[kind]):
            yield kind, loading[kind] + n + 1


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("kairos")
    ap.add_argument("--count", type=int, default=sys.maxsize)
    ap.add_argument("--seconds", type=float, default=math.inf)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--only", action="append", default=[])
    ap.add_argument("--calls", default=",".join(CALLS))
    args = ap.parse_args()
    kairos, begin = os.path.abspath(args.kairos), time.monotonic()
    planned, plains = [], {}
    for name, (words, own) in COMMANDS.items():
        if args.only and name not in args.only:
            continue
        plain, loading, running = undisturbed(kairos, words.split())
        plains[name] = same_twice(kairos, words.split(), plain)
        planned += [(name, *case) for case in cases(loading, running, args.calls.split(","))]
    random.Random(args.seed).shuffle(planned)
    faults = found = 0
    for name, kind, n in planned[: args.count]:
        if time.monotonic() - begin > args.seconds:
            break
        words, own = COMMANDS[name]
        inject = [
            "-e",
            "trace=" + kind,
            "-e",
            "inject=%s:error=%s:when=%d" % (kind, CALLS[kind], n),
        ]

        def action(p):
            before = p.files()
            status, out, err = p.run(kairos, words.split(), inject)
            in_loader = status == 127 and "shared librar" in err
            text = None if in_loader else wrong(p, before, plains[name], own, status, out, err)
            return text, err

        text, err = in_new_place(action)
        faults += 1
        if text:
            found += 1
            print(
                "%s, call %d of %s (%s): %s; %s"
                % (name, n, kind, CALLS[kind], text, err.strip()[:200]),
                flush=True,
            )
    print("%d of %d faults injected, %d not survived" % (faults, len(planned), found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
