"""Signals at random instants. Each command runs in a folder of its own and gets SIGINT, SIGTERM or
SIGKILL after a random part of its usual time. Then:

- it ends within two seconds (SIGKILL: at once), and no process of it stays;
- every file is whole or absent, and the inputs are unchanged;
- after SIGINT and SIGTERM no temporary file is left; what SIGKILL leaves, the next run removes;
- the same command run again gives the files of an undisturbed run.

usage: kills.py KAIROS [--seconds S] [--seed N] [--only COMMAND]"""
import argparse, math, os, random, signal, subprocess, sys, tempfile, time

import faults

LONG = """model Long
  parameter Real e = 0.7;
  Real x[20](each start = 1, each fixed = true), h(start = 1, fixed = true), v(start = 0);
equation
  for i in 1:20 loop
    der(x[i]) = sin(i*time) - x[i];
  end for;
  der(h) = v;
  der(v) = -9.81 - 0.01*x[1];
  when h <= 0 then
    reinit(v, -0.999*pre(v));
  end when;
end Long;
"""
STUDY = faults.STUDY.replace("{values: [0.5, 0.6]}", "{range: [0.1, 0.9, 400]}")
COMMANDS = {
    "simulate": "simulate Long.mo --stop-time 500 --output r.csv",
    "cc": "simulate Long.mo --stop-time 20 --output r.csv --compiler cc",
    "checkpoint": "simulate Long.mo --stop-time 500 --output r.mat --checkpoint 0.05",
    "sweep": "simulate Long.mo --stop-time 100 --output r.csv --sweep e=0.5,0.6,0.7 --jobs 2",
    "study": "study long.yaml --jobs 2",
    "fmu": "fmu Long.mo -o Long.fmu",
    "lib": "lib add Lib.zip",
    "format": "format Untidy.mo",
    "report": "report Long.mo --stop-time 20 -o report.html",
}
# Files that a run which ended early writes with the part that it has.
PARTIAL = ("r.csv", "r.mat", "s.journal", "r_sweep.journal", "checkpoint", "report.html")


def processes(mark):
    """Processes whose environment names the folder for temporary files."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/environ" % pid, "rb") as f:
                if ("TMPDIR=" + mark).encode() in f.read():
                    found.append(int(pid))
        except OSError:
            pass
    return found


class Place(faults.Place):
    def __init__(self, top):
        super().__init__(top)
        for name, text in (("Long.mo", LONG), ("long.yaml", STUDY)):
            with open(os.path.join(self.work, name), "w") as f:
                f.write(text)
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": self.home,
            "TMPDIR": self.tmp,
            "KAIROS_DATA": os.path.join(self.home, "data"),
            "LC_ALL": "C.UTF-8",
        }

    def start(self, kairos, words):
        return subprocess.Popen(
            [kairos, *words],
            cwd=self.work,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


def plain(kairos, words):
    def action(p):
        begin = time.monotonic()
        assert p.start(kairos, words).wait(faults.LIMIT) == 0, words
        return p.files(), time.monotonic() - begin

    return in_new_place(action)


def in_new_place(action):
    with tempfile.TemporaryDirectory(prefix="kairos-kills-") as top:
        return action(Place(top))


def left_behind(p, which, patience):
    """Processes and temporary files that stay, or None."""
    end = time.monotonic() + patience
    while processes(p.tmp) and time.monotonic() < end:
        time.sleep(0.02)
    if processes(p.tmp):
        for pid in processes(p.tmp):
            os.kill(pid, signal.SIGKILL)
        return "a process stays"
    if which != signal.SIGKILL and os.listdir(p.tmp):
        return "temporary files stay: %s" % os.listdir(p.tmp)
    return None


def harmed(before, plain_files, after, which):
    for name, value in after.items():
        if name.startswith("tmp"):
            continue
        part = any(x in name for x in PARTIAL)
        known = name in before or name in plain_files
        if not known and not part:
            return "%s is left" % name
        whole = value in (before.get(name), plain_files.get(name), None)
        if not whole and plain_files.get(name, 0) is not None and not part:
            return "%s is not whole" % name
        if name in before and value != before[name] and value != plain_files.get(name):
            return "the input %s has changed" % name
    return None


def one(kairos, name, plains, rng):
    words = COMMANDS[name].split()
    files, seconds = plains[name]
    which = rng.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
    delay = rng.random() * seconds * 1.05

    def action(p):
        before = p.files()
        child = p.start(kairos, words)
        time.sleep(delay)
        child.send_signal(which)
        sent = time.monotonic()
        try:
            child.wait(20)
        except subprocess.TimeoutExpired:
            child.kill()
            return "it does not end"
        late = time.monotonic() - sent
        if late > 10:
            return "it ends after %.1f s" % late
        stays = left_behind(p, which, 10)
        if stays:
            return stays
        bad = harmed(before, files, p.files(), which)
        if bad:
            return bad
        try:
            status = p.start(kairos, words).wait(faults.LIMIT)
        except subprocess.TimeoutExpired:
            return "the second run does not end"
        if status and name != "lib":  # the library may be there already
            return "the second run ends with status %d" % status
        after = p.files()
        for file, value in files.items():
            if value is not None and file in after and after[file] != value:
                return "%s of the second run is another one" % file
        extra = set(after) - set(files) - set(before)
        return "left after the second run: %s" % sorted(extra) if extra else None

    text = in_new_place(action)
    return text and "%s, %s after %.3f of %.3f s: %s" % (name, which.name, delay, seconds, text)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("kairos")
    ap.add_argument("--seconds", type=float, default=60)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--only", action="append", default=[])
    args = ap.parse_args()
    kairos, rng = os.path.abspath(args.kairos), random.Random(args.seed)
    names = args.only or list(COMMANDS)
    plains = {}
    for name in names:
        first, seconds = plain(kairos, COMMANDS[name].split())
        second, _ = plain(kairos, COMMANDS[name].split())
        plains[name] = {f: v if second.get(f) == v else None for f, v in first.items()}, seconds
    begin, tried, found = time.monotonic(), 0, 0
    while time.monotonic() - begin < args.seconds:
        text = one(kairos, rng.choice(names), plains, rng)
        tried += 1
        found += bool(text)
        if text:
            print(text, flush=True)
    print("%d signals sent, %d not survived" % (tried, found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
