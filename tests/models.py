"""Checks a model against the expectations written in it as comments; tests/README.md lists them."""
import csv, difflib, json, math, os, re, subprocess, tempfile
import solver_table

TIMEOUT = 120
HIGH_ORDER = solver_table.high_order()
SIGNS = {".mo": "//", ".dym": "!", ".om": "%"}
LOOKS = {  # the text after these words; a sentence may begin with a similar word
    "expect": r"(ok|nothing|error|warning|flat|equations|dae|instance|events?|max|min)\b"
    r"|.*\(.*\) =",
    "options": r"--",
    "solvers": r"(high|auto|%s)\b" % "|".join(solver_table.solvers()),
    "model": r"[\w.']+$",
}
NAMES = {k: getattr(math, k) for k in dir(math) if not k.startswith("_")}
NAMES.update(abs=abs, min=min, max=max)


def number(text):
    return float(eval(text.replace("^", "**"), {"__builtins__": {}}, NAMES))


def comment(line, sign):
    """The text of the comment in a line, and whether the line contains nothing else."""
    m = re.match(r'((?:[^"]|"(?:[^"\\]|\\.)*")*?)%s+\s*(.*?)\s*$' % re.escape(sign), line)
    return (m[2], not m[1].strip()) if m else ("", False)


class Expectations:
    """The comments `expect …`, `options …`, `solvers …`, `model …` of a file, each on a line of its
    own, and `error CODE` or `warning CODE` at the end of a line. A comment that begins with one of
    these words, or looks as if it was meant to, must be understood: ValueError otherwise."""

    def __init__(self, path):
        self.values, self.extremes, self.events, self.texts, self.messages = [], [], [], [], []
        self.options, self.model, self.solvers, self.count = [], [], None, None
        self.ok = self.nothing = self.in_lines = False
        sign = SIGNS[os.path.splitext(path)[1]]
        with open(path, encoding="utf-8", errors="replace") as f:
            for line_number, line in enumerate(f, 1):
                text, alone = comment(line, sign)
                try:
                    self.read(text, alone, line_number)
                except Exception as x:
                    raise ValueError("line %d, '%s': %s" % (line_number, text, x)) from x
        self.validate()

    def read(self, text, alone, line):
        words = {
            "expect": self.read_expect,
            "options": self.read_options,
            "solvers": self.read_solvers,
            "model": self.read_model,
        }
        m = re.match(r"(error|warning) ([A-Z]\d+)(?: with (.*))?$", text)
        if m and not alone:
            self.messages.append((m[1], m[2], line, m[3]))
            self.in_lines = True
            return
        if re.match(r"\w+ [A-Z]\d{3}\b", text):
            raise ValueError(
                "write 'error CODE' or 'error CODE with TEXT' at the end of the line, "
                "or 'expect error CODE' on a line of its own"
            )
        word, _, rest = text.partition(" ")
        if word in words and alone:
            words[word](rest.strip())
            return
        near = difflib.get_close_matches(word.lower().rstrip(":"), words, 1, 0.8)
        if near and re.match(LOOKS[near[0]], rest.strip()) and (alone or near[0] == "expect"):
            raise ValueError(
                "write '%s' on a line of its own, or begin the sentence with another "
                "word" % near[0]
            )

    def read_options(self, text):
        self.options += text.split()

    def read_solvers(self, text):
        self.solvers = [
            s for name in text.split() for s in (HIGH_ORDER if name == "high" else [name])
        ]

    def read_model(self, text):
        if not re.fullmatch(r"[\w.']+", text):
            raise ValueError("no name of a model; begin a sentence with another word")
        self.model = ["--model", text]

    def read_expect(self, text):
        if text == "ok":
            self.ok = True
            return
        if re.match(r"nothing: \S", text):
            self.nothing = True
            return
        m = re.match(r"(error|warning) ([A-Z]\d+)(?: line (\d+))?(?: with (.*))?$", text)
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
        m = re.match(r"(max|min) (.*?) (<=|>=) (.*?)( where defined)?$", text)
        if m:
            self.extremes.append((m[1], m[2], m[3], number(m[4]), bool(m[5])))
            return
        self.read_value(text)

    def read_value(self, text):
        if "±" not in text and "+-" not in text:
            text += " ± 0"
        m = re.match(r"(.*)\(([^()]*?)(-?)\) = (.*?)\s*(?:±|\+-)\s*(\S+)\s*(?:\[(.*)\])?$", text)
        if not m:
            raise ValueError("not understood; tests/README.md lists the expectations")
        name, time, left, value, tolerance, others = m.groups()
        special = {}
        for item in (others or "").split(","):
            if item.strip():
                solver, t = item.split()
                special[solver] = number(t)
        self.values.append(
            (name, number(time), bool(left), number(value), number(tolerance), special)
        )

    def validate(self):
        """A comment without effect is a mistake."""
        if self.is_empty() != self.nothing:
            raise ValueError(
                "nothing is expected of it; write an expectation, or 'expect nothing: "
                "REASON' if there is none"
            )
        if self.solvers and not self.wants_run():
            raise ValueError("'solvers' has no effect: there is nothing to compare")
        self.solvers = self.solvers or ["cvode", "dopri5"]
        for solver in {solver for value in self.values for solver in value[-1]}:
            if solver not in self.solvers:
                raise ValueError(
                    "the tolerance for %s has no effect: the model does not run " "with it" % solver
                )
        if any(o != "--all" for o in self.options) and not self.simulates():
            raise ValueError("'options' has no effect: nothing is simulated")

    def wants_run(self):
        return bool(self.values or self.extremes or self.events or self.count is not None)

    def wants_error(self):
        return any(kind == "error" for kind, _, _, _ in self.messages)

    def simulates(self):
        return self.wants_run() or any(code[0] in "RU" for _, code, _, _ in self.messages)

    def is_empty(self):
        return not (self.wants_run() or self.messages or self.texts or self.ok)

    def simulate(self, path):
        """The arguments of a run."""
        return ["simulate", path, "--output", "r.csv", *self.model, *self.options]

    def check(self, path):
        """The arguments of a check."""
        return ["check", path, *self.model, *(o for o in self.options if o == "--all")]


def call(kairos, arguments, cwd, env):
    p = subprocess.run(
        [kairos, *arguments],
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=TIMEOUT,
    )
    return p.returncode, p.stdout.decode("utf-8", "replace"), p.stderr.decode("utf-8", "replace")


def squeeze(text):
    return re.sub(r"\s+", "", text)


def check_texts(kairos, path, e, cwd, env):
    if "--all" in e.options:
        return "--all is for a check"
    commands = {
        "flat": ["flatten"],
        "equations": ["equations"],
        "dae": ["dump", "--after=dae"],
        "instance": ["dump", "--after=instance"],
    }
    have = {}
    for what, text in e.texts:
        if what not in have:
            rc, out, err = call(kairos, commands[what] + [path] + e.model, cwd, env)
            if rc:
                return "%s: exit %d\n%s" % (what, rc, err)
            have[what] = squeeze(out)
        if squeeze(text) not in have[what]:
            return "%s print lacks: %s" % (what, text)
    return None


def check_messages(kairos, path, e, cwd, env):
    """Every expected message must come, and no other error. If a warning or `ok` is expected, no
    other warning may come either."""
    arguments = e.simulate(path) if e.simulates() and not e.ok else e.check(path)
    rc, _, err = call(kairos, arguments + ["--diagnostics=json"], cwd, env)
    try:
        told = json.loads(err[err.index("[") :])
    except ValueError:
        return "no JSON diagnostics, exit %d:\n%s" % (rc, err)
    if rc not in (0, 1, 2, 3) or (rc == 0) == e.wants_error():
        return "exit %d\n%s" % (rc, err)
    for kind, code, line, text in e.messages:
        if not any(
            d["severity"] == kind
            and d["code"] == code
            and line in (None, d.get("line"))
            and (not text or text in d["message"])
            for d in told
        ):
            return "no %s %s%s\n%s" % (kind, code, " on line %d" % line if line else "", err)
    strict = {kind for kind, _, _, _ in e.messages} | {"error"} | ({"warning"} if e.ok else set())
    key = "line" if e.in_lines else "code"
    expected = {(kind, line if e.in_lines else code) for kind, code, line, _ in e.messages}
    for d in told:
        if d["severity"] in strict and (d["severity"], d.get(key)) not in expected:
            return "unexpected %s %s: %s" % (d["severity"], d["code"], d["message"])
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


def check_values(e, result, solver):
    for name, time, left, value, tolerance, special in e.values:
        if name not in result:
            return "no variable %s" % name
        got, allowed = value_at(result, name, time, left), special.get(solver, tolerance)
        if not abs(got - value) <= allowed:
            return "%s(%g) = %.12g, expected %.12g ± %g (off by %.3g)" % (
                name,
                time,
                got,
                value,
                allowed,
                got - value,
            )
    return None


def check_extremes(e, result):
    for which, name, sense, limit, where_defined in e.extremes:
        if name not in result:
            return "no variable %s" % name
        rows = [x for x in result[name] if x == x]
        if not rows or len(rows) < len(result[name]) and not where_defined:
            return (
                "%s is not a number in %d of %d rows; write 'where defined' after the limit if "
                "it is undefined there" % (name, len(result[name]) - len(rows), len(result[name]))
            )
        got = (max if which == "max" else min)(rows)
        if not (got <= limit if sense == "<=" else got >= limit):
            return "%s of %s is %.12g, expected %s %g" % (which, name, got, sense, limit)
    return None


def check_events(e, path):
    with open(path) as f:
        events = [json.loads(line) for line in f if line.strip()]
    times = [event["time"] for event in events if not event.get("initial")]
    for time, tolerance in e.events:
        allowed = tolerance if tolerance is not None else 1e-6 * max(1, abs(time))
        if not any(abs(t - time) <= allowed for t in times):
            near = min(times, key=lambda t: abs(t - time)) if times else None
            return "no event at %.10g; nearest %s" % (time, near)
    if e.count is not None and len(times) != e.count:
        return "%d events, expected %d: %s" % (len(times), e.count, times[:20])
    return None


def check_run(kairos, path, e, solver, cwd, env):
    more = ["--events", "e.jsonl", "--solver", solver]
    rc, _, err = call(kairos, e.simulate(path) + more, cwd, env)
    if rc:
        return "exit %d\n%s" % (rc, err)
    result = read_result(os.path.join(cwd, "r.csv"))
    return (
        check_values(e, result, solver)
        or check_extremes(e, result)
        or check_events(e, os.path.join(cwd, "e.jsonl"))
    )


def check_all(kairos, path, e, cwd, env):
    error = check_texts(kairos, path, e, cwd, env) if e.texts else None
    if not error and (e.messages or e.ok):
        error = check_messages(kairos, path, e, cwd, env)
    for solver in e.solvers if e.wants_run() and not e.wants_error() else []:
        wrong = check_run(kairos, path, e, solver, cwd, env) if not error else None
        error = error or wrong and "solver %s: %s" % (solver, wrong)
    return error


def check(kairos, path, env):
    """Returns None or an error text."""
    try:
        e = Expectations(path)
        with tempfile.TemporaryDirectory(prefix="kairos-test-") as cwd:
            return check_all(kairos, path, e, cwd, env)
    except subprocess.TimeoutExpired:
        return "no answer in %d s" % TIMEOUT
    except (ValueError, StopIteration, OSError) as x:
        return str(x) or type(x).__name__
