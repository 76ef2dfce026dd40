"""Checks a model against the expectations written in it as comments; tests/README.md lists them."""
import csv, json, math, os, re, subprocess, tempfile

TIMEOUT = 120
HIGH_ORDER = ["cvode", "ida", "esdirk", "radau", "dopri5", "rkf45"]
NAMES = {k: getattr(math, k) for k in dir(math) if not k.startswith("_")}
NAMES.update(abs=abs, min=min, max=max)


def number(text):
    return float(eval(text.replace("^", "**"), {"__builtins__": {}}, NAMES))


class Expectations:
    """The lines `// expect …`, `// options …`, `// solvers …`, `// model …` of a file; comments start with ! in Dymola, % in Omola."""

    def __init__(self, path):
        self.values, self.extremes, self.events, self.texts, self.messages = [], [], [], [], []
        self.options, self.solvers, self.ok, self.count = [], ["cvode", "dopri5"], False, None
        self.nothing = False
        self.in_lines = False
        for number_of_line, line in enumerate(open(path, encoding="utf-8", errors="replace"), 1):
            m = re.match(r"\s*(?!//)\S.*//\s*(error|warning) ([A-Z]\d+)(?: with (.*?))?\s*$", line)
            if m:
                self.messages.append((m[1], m[2], number_of_line, m[3]))
                self.in_lines = True
                continue
            m = re.match(r"\s*(?://|!|%)\s*(expect|options|solvers|model)\b:?\s*(.*?)\s*$", line)
            if not m:
                continue
            kind, rest = m.groups()
            if kind == "options":
                self.options += rest.split()
            elif kind == "solvers":
                self.solvers = [s for name in rest.split() for s in (HIGH_ORDER if name == "high" else [name])]
            elif kind == "model":
                self.options += ["--model", rest]
            else:
                self.expect(rest)

    def expect(self, text):
        if text == "ok":
            self.ok = True
            return
        if text.startswith("nothing: "):
            self.nothing = True
            return
        m = re.match(r"(error|warning) ([A-Z]\d+)(?: line (\d+))?(?: (?:with|saying) (.*))?$", text)
        if m:
            self.messages.append((m[1], m[2], int(m[3]) if m[3] else None, m[4]))
            return
        m = re.match(r"(flat|equations|dae|instance) (.*)$", text)
        if m:
            self.texts.append((m[1], m[2]))
            return
        m = re.match(r"events = (\d+)$", text)
        if m:
            self.count = int(m[1])
            return
        m = re.match(r"event (.*?)(?:\s*(?:±|\+-)\s*(.*))?$", text)
        if m:
            self.events.append((number(m[1]), number(m[2]) if m[2] else None))
            return
        m = re.match(r"(max|min) (.*?) (<=|>=) (.*)$", text)
        if m:
            self.extremes.append((m[1], m[2], m[3], number(m[4])))
            return
        if "±" not in text and "+-" not in text:
            text += " ± 0"
        m = re.match(r"(.*)\(([^()]*?)(-?)\) = (.*?)\s*(?:±|\+-)\s*(\S+)\s*(?:\[(.*)\])?$", text)
        if not m:
            raise ValueError("expectation not understood: " + text)
        name, time, left, value, tolerance, others = m.groups()
        special = {}
        for item in (others or "").split(","):
            if item.strip():
                solver, t = item.split()
                special[solver] = number(t)
        self.values.append((name, number(time), bool(left), number(value), number(tolerance), special))

    def wants_run(self):
        return bool(self.values or self.extremes or self.events or self.count is not None)

    def is_empty(self):
        return not (self.wants_run() or self.messages or self.texts or self.ok)


def call(kairos, arguments, cwd, env):
    p = subprocess.run([kairos, *arguments], cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=TIMEOUT)
    return p.returncode, p.stdout.decode("utf-8", "replace"), p.stderr.decode("utf-8", "replace")


def squeeze(text):
    return re.sub(r"\s+", "", text)


def check_texts(kairos, path, e, cwd, env):
    if "--all" in e.options:
        return "--all is for a check"
    commands = {"flat": ["flatten"], "equations": ["equations"], "dae": ["dump", "--after=dae"], "instance": ["dump", "--after=instance"]}
    have = {}
    for what, text in e.texts:
        if what not in have:
            rc, out, err = call(kairos, commands[what] + [path] + model_option(e), cwd, env)
            if rc:
                return "%s: exit %d\n%s" % (what, rc, err)
            have[what] = squeeze(out)
        if squeeze(text) not in have[what]:
            return "%s print lacks: %s" % (what, text)
    return None


def model_option(e):
    return (e.options[e.options.index("--model"):][:2] if "--model" in e.options else []) + [o for o in e.options if o == "--all"]


def check_messages(kairos, path, e, cwd, env):
    """Every expected message must come, and no error that is not expected."""
    runs = any(code.startswith("R") or code.startswith("U") for _, code, _, _ in e.messages) or e.wants_run()
    command = ["simulate", path, "--output", "r.csv"] + e.options if runs else ["check", path] + model_option(e)
    rc, _, err = call(kairos, command + ["--diagnostics=json"], cwd, env)
    try:
        told = json.loads(err[err.index("["):])
    except ValueError:
        return "no JSON diagnostics, exit %d:\n%s" % (rc, err)
    wants_error = any(kind == "error" for kind, _, _, _ in e.messages)
    if rc not in (0, 1, 2, 3) or (rc == 0) == wants_error:
        return "exit %d\n%s" % (rc, err)
    for kind, code, line, text in e.messages:
        if not any(d["severity"] == kind and d["code"] == code and (line is None or d.get("line") == line)
                   and (not text or text in d["message"]) for d in told):
            return "no %s %s%s\n%s" % (kind, code, " on line %d" % line if line else "", err)
    expected = {line if e.in_lines else code for kind, code, line, _ in e.messages if kind == "error"}
    for d in told:
        if d["severity"] == "error" and d.get("line" if e.in_lines else "code") not in expected:
            return "unexpected %s: %s" % (d["code"], d["message"])
    return None


def read_result(path):
    with open(path, newline="") as f:
        rows = list(csv.reader(f))
    names = rows[0]
    return {n: [float(r[i]) for r in rows[1:]] for i, n in enumerate(names)}


def value_at(result, name, time, left):
    t, y = result["time"], result[name]
    tiny = 1e-12 * max(1, abs(time))
    if left:
        k = next(i for i in range(len(t)) if t[i] >= time - tiny)
    else:
        k = max(i for i in range(len(t)) if t[i] <= time + tiny)
    if abs(t[k] - time) <= tiny:
        return y[k]
    if not left and k + 1 < len(t):
        return y[k] + (y[k + 1] - y[k]) * (time - t[k]) / (t[k + 1] - t[k])
    return y[k]


def check_run(kairos, path, e, solver, cwd, env):
    where = "solver %s: " % solver
    rc, _, err = call(kairos, ["simulate", path, "--output", "r.csv", "--events", "e.jsonl", "--solver", solver] + e.options, cwd, env)
    if rc:
        return where + "exit %d\n%s" % (rc, err)
    result = read_result(os.path.join(cwd, "r.csv"))
    for name, time, left, value, tolerance, special in e.values:
        if name not in result:
            return where + "no variable %s" % name
        got, allowed = value_at(result, name, time, left), special.get(solver, tolerance)
        if not abs(got - value) <= allowed:
            return where + "%s(%g) = %.12g, expected %.12g ± %g (off by %.3g)" % (name, time, got, value, allowed, got - value)
    for which, name, sense, limit in e.extremes:
        got = (max if which == "max" else min)(result[name])
        if not (got <= limit if sense == "<=" else got >= limit):
            return where + "%s of %s is %.12g, expected %s %g" % (which, name, got, sense, limit)
    events = [json.loads(line) for line in open(os.path.join(cwd, "e.jsonl")) if line.strip()]
    times = [event["time"] for event in events if not event.get("initial")]
    for time, tolerance in e.events:
        allowed = tolerance if tolerance is not None else 1e-6 * max(1, abs(time))
        if not any(abs(t - time) <= allowed for t in times):
            near = min(times, key=lambda t: abs(t - time)) if times else None
            return where + "no event at %.10g; nearest %s" % (time, near)
    if e.count is not None and len(times) != e.count:
        return where + "%d events, expected %d: %s" % (len(times), e.count, times[:20])
    return None


def check(kairos, path, env):
    """Returns None or what is wrong."""
    try:
        e = Expectations(path)
        if e.is_empty():
            return None if e.nothing else "nothing is expected of it: see tests/README.md"
        with tempfile.TemporaryDirectory(prefix="kairos-test-") as cwd:
            if e.ok:
                rc, _, err = call(kairos, ["check", path] + model_option(e), cwd, env)
                if rc:
                    return "exit %d\n%s" % (rc, err)
            error = check_texts(kairos, path, e, cwd, env) if e.texts else None
            if not error and e.messages:
                error = check_messages(kairos, path, e, cwd, env)
            if not error and e.wants_run() and not any(kind == "error" for kind, _, _, _ in e.messages):
                for solver in e.solvers:
                    error = error or check_run(kairos, path, e, solver, cwd, env)
            return error
    except subprocess.TimeoutExpired:
        return "no answer in %d s" % TIMEOUT
    except (ValueError, KeyError, StopIteration, OSError, SyntaxError, NameError) as x:
        return "%s: %s" % (type(x).__name__, x)
