"""Completion in bash, zsh and fish. Shells that are not installed are skipped."""
import os, pty, re, select, shutil, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import call, check, example

HOME = tempfile.TemporaryDirectory(prefix="kairos-test-")  # shells leave files there
BALL = example("BouncingBall.mo")

# a command line, and the completions of its last word
CASES = [
    ("kairos sim", {"simulate"}),
    ("kairos re", {"report"}),
    ("kairos lib ", {"list", "add", "remove", "path"}),
    ("kairos simulate --so", {"--solver"}),
    ("kairos simulate --solver inline-", {"inline-euler", "inline-bdf2", "inline-radau"}),
    ("kairos simulate --structure s", {"single"}),
    ("kairos dump --after c", {"codegen"}),
    ("kairos compare --ti", {"--time-tolerance"}),
    ("kairos plot --sol", set()),
    ("kairos simulate m", {"m.mo", "m.dym", "m.om"}),
    ("kairos plot r", {"r.csv", "r.mat"}),
    ("kairos simulate --library ", {"folder"}),
    ("kairos simulate --set ", set()),
    ("kairos run ", {"s.ocl", "folder"}),
    ("kairos simulate --log events,mo", {"events,modes"}),
]


def words(line):
    """As bash splits them: the sign of equality is a word of its own."""
    return [w for w in re.split(r" |(=)", line) if w is not None]


def in_bash(line):
    at = words(line)
    script = (
        'source ./kairos.bash; COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); '
        '_kairos; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    p = subprocess.run(
        ["bash", "--norc", "-c", script, "bash", *at],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    check("bash: " + line, not p.stderr, p.stderr.decode())
    return {w.rstrip("/") for w in p.stdout.decode().split("\n") if w}


def in_fish(line):
    script = "source kairos.fish; complete -C $argv[1]"
    p = subprocess.run(
        ["fish", "--no-config", "-c", script, line],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(os.environ, HOME=HOME.name),
    )
    check("fish: " + line, not p.stderr, p.stderr.decode())
    return {w.split("\t")[0].rstrip("/") for w in p.stdout.decode().split("\n") if w}


class Zsh:
    """A zsh on a terminal of its own; ^G prints the line that is being edited."""

    def __init__(self):
        pid, self.tty = pty.fork()
        if not pid:
            os.environ.update(TERM="dumb", HOME=HOME.name, ZDOTDIR=HOME.name)
            os.execvp("zsh", ["zsh", "-f", "-i"])
        self.send(
            "PS1=; fpath=($PWD $fpath); autoload -U compinit; compinit -u -D\n"
            "setopt no_list_beep auto_menu; unsetopt prompt_sp\n"
            'show() { zle -I; print -r -- "<<$BUFFER>>"; BUFFER= }; zle -N show\n'
            "bindkey '^G' show; bindkey '^I' complete-word\n"
            "print rea''dy\n"
        )
        self.wait(r"ready")

    def send(self, text):
        os.write(self.tty, text.encode())

    def wait(self, pattern):
        text, limit = "", time.monotonic() + 20
        while time.monotonic() < limit:
            if select.select([self.tty], [], [], 0.2)[0]:
                text += os.read(self.tty, 65536).decode("utf-8", "replace")
            found = re.search(pattern, text)
            if found:
                return found
        raise AssertionError("zsh: no answer: " + text[-2000:])

    def complete(self, line):
        self.send(line + "\t")
        time.sleep(0.3)
        self.send("\x07")
        return self.wait(r"<<(.*)>>")[1]


def test_zsh():
    files()
    if not shutil.which("zsh"):
        return
    with open("_kairos", "w") as f:
        f.write(call("completion", "zsh")[1])
    shell = Zsh()
    for line, expected in CASES:
        if len(expected) != 1:
            continue
        answer = shell.complete(line).rstrip().rstrip("/=,")
        check("zsh: " + line, answer.split(" ")[-1] == list(expected)[0], answer)


def values():
    """The options of simulate with an enumeration, from the script for bash."""
    text = call("completion", "bash")[1]
    simulate = text[text.index("    simulate)\n") : text.index("    report)\n")]
    return re.findall(r"(--[\w-]+)\) _kairos_(?:words|list) '([^']*)'", simulate)


def test_values_are_accepted():
    found = values()
    expected = {"--solver", "--structure", "--mixed", "--log", "--compiler"}
    check("enumerations", expected <= {name for name, _ in found}, found)
    for name, choices in found:
        for choice in choices.split():
            rc, _, err = call(
                "simulate",
                BALL,
                "--stop-time",
                "0.1",
                "--step",
                "0.01",
                "--output",
                "v.csv",
                name,
                choice,
            )
            check("%s %s is accepted" % (name, choice), rc == 0, err)


def test_solvers_are_complete():
    rows = set(program.solvers())
    listed = set(dict(values())["--solver"].split())
    check("solvers", len(rows) > 5 and listed == rows | {"auto"}, rows)


def files():
    for name in ("m.mo", "m.dym", "m.om", "m.txt", "r.csv", "r.mat", "r.txt", "s.ocl"):
        open(name, "w").close()
    os.mkdir("folder")


def complete_all(shell, run):
    files()
    with open("kairos." + shell, "w") as f:
        f.write(call("completion", shell)[1])
    for line, expected in CASES if shutil.which(shell) else []:
        answer = run(line)
        check("%s: %s" % (shell, line), answer == expected, answer)


def test_bash():
    complete_all("bash", in_bash)
    answer = in_bash("kairos simulate --solver=cv")
    check("bash: --solver=cv", answer == {"cvode"}, answer)


def test_fish():
    complete_all("fish", in_fish)


def test_unknown_shell():
    check("no shell", call("completion")[0] == 2 and call("completion", "tcsh")[0] == 2)


program.run_tests()
