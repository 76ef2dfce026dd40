"""kairos study: designs, kept values, resumption, crashes, MPI, Slurm's script, bad input."""
import csv, json, math, os, re, resource, shutil, signal, statistics, struct, subprocess, sys, time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import call, check, write

BALL = """model Ball
  parameter Real e(min = 0, max = 1) = 0.7;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -e*pre(v));
  end when;
end Ball;
"""
LINE = """model Line
  parameter Real a = 1, b = 1, c = 1;
  parameter Boolean on = false;
  Real x(start = 0, fixed = true), y = a + 2*b + (if on then 10 else 0);
equation
  der(x) = a;
end Line;
"""
SLOW = """model Slow
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end Slow;
"""
CRASH = """model Crash
  function boom
    input Real x;
    output Real y;
    external "C" y = boom(x) annotation(Include = "
      extern int raise(int);
      static double boom(double x) { if (x > 0.7) raise(14); return x; }");
  end boom;
  parameter Real a = 0;
  Real x(start = 0, fixed = true);
equation
  der(x) = boom(a);
end Crash;
"""


def study(text, *options, status=0):
    write("s.yaml", text)
    rc, out, err = call("study", "s.yaml", *options)
    check("study ends with %d" % status, rc == status, (rc, err))
    return err


def rows(name="s.csv"):
    with open(name, newline="") as f:
        return list(csv.DictReader(f))


def column(name, rows_=None):
    return [float(r[name]) if r[name] else math.nan for r in rows_ or rows()]


def near(what, value, right, tolerance):
    check(what, abs(value - right) <= tolerance, (value, right))


NORMATIVE = """model: Ball.mo                   # or a class name, with library: [folder, ...]
stop-time: 2
set: {v.start: 0.0}
factors:
  e: {uniform: [0.5, 0.9]}
  h.start: {values: [1, 2]}
design: {kind: latin-hypercube, points: 200, seed: 1}
keep:
  h_end: end(h)                  # end, start, min, max, mean, rms, integral
  impacts: count(h <= 0)
  first: time(h <= 0)
output: {file: ball.h5}
"""


def impacts(e, height, stop):
    """Impacts before `stop`: flight k takes 2 e^k times the first fall."""
    fall = math.sqrt(2 * height / 9.81)
    t, n = fall, 0
    while t < stop and n < 1000:
        n += 1
        t += 2 * e**n * fall
    return n


def test_the_normative_study():
    write("Ball.mo", BALL)
    study(NORMATIVE)
    table = rows("ball.csv")
    names = ["point", "e", "h.start", "h_end", "impacts", "first", "status"]
    check("columns", list(table[0]) == names, list(table[0]))
    check("rows", [r["point"] for r in table] == [str(i + 1) for i in range(200)])
    for r in table:
        e, height = float(r["e"]), float(r["h.start"])
        check("status", r["status"] == "ok", r)
        near("first impact", float(r["first"]), math.sqrt(2 * height / 9.81), 1e-6)
        if e > 0.66:  # the others come to rest: their impacts have no end
            check("impacts", int(r["impacts"]) == impacts(e, height, 2), r)
    strata = sorted(int((float(r["e"]) - 0.5) / 0.4 * 200) for r in table)
    check("one point in each stratum", strata == list(range(200)), strata)
    check("both values equally often", sum(r["h.start"] == "1" for r in table) == 100)
    check("no journal is left", not os.path.exists("ball.journal"))
    check("times have their own file", len(rows("ball.times.csv")) == 200)


def h5(script, *files):
    p = subprocess.run(["/usr/bin/python3", "-c", "import h5py, sys\n" + script, *files],
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    check("h5py reads the file", p.returncode == 0, p.stdout)
    return p.stdout


def test_the_layout_of_the_file():
    write("Ball.mo", BALL)
    study(NORMATIVE + "trajectories: [h, v]\nintervals: 10\n")
    out = h5("""
f = h5py.File("ball.h5")
assert f.attrs["study"] == open("s.yaml").read() and f.attrs["seed"] == "1"
assert sorted(f) == ["factors", "kept", "message", "status", "trajectories"], sorted(f)
d = f["kept/h_end"]
assert d.chunks and d.compression == "gzip" and d.shuffle
assert f["status"].attrs["value 1"] == "ok" and set(f["status"][:]) == {1}
t = f["trajectories"]
first = t["first_row"][:]
for i in range(200):
    part = slice(first[i], first[i + 1])
    assert t["time"][part][0] == 0 and t["time"][part][-1] == 2
    assert t["h"][part][0] == f["factors/h.start"][i]
    assert t["h"][part][-1] == f["kept/h_end"][i]
assert first[200] == len(t["v"])
print(len(first), list(f["factors/e"][:3]))
""")
    check("the same factors as in the table", eval(out.split(" ", 1)[1]) == column("e", rows(
        "ball.csv"))[:3], out)


def test_results_do_not_depend_on_workers():
    write("Ball.mo", BALL)
    study(NORMATIVE, "--jobs", "1")
    files = [open(f, "rb").read() for f in ("ball.h5", "ball.csv")]
    time.sleep(1.1)  # no times in the files
    study(NORMATIVE, "--jobs", "3")
    check("same bytes", files == [open(f, "rb").read() for f in ("ball.h5", "ball.csv")])
    study(NORMATIVE.replace("seed: 1", "seed: 2"))
    check("another seed", files[1] != open("ball.csv", "rb").read())


DESIGN = """model: Line.mo
factors:
  a: %s
design: {kind: %s, points: 4000, seed: 3%s}
keep: {a: end(a)}
output: s.csv
"""


def test_distributions():
    write("Line.mo", LINE)
    for text, mean, sigma in (
        ("{uniform: [2, 4]}", 3, 2 / math.sqrt(12)),
        ("{normal: [5, 0.5]}", 5, 0.5),
        ("{truncated-normal: [0, 1, -1, 1]}", 0, 0.5396),
        ("{log-normal: [0, 0.25]}", math.exp(0.03125),
         math.exp(0.03125) * math.sqrt(math.exp(0.0625) - 1)),
        ("{triangular: [0, 1, 3]}", 4 / 3, math.sqrt((0 + 1 + 9 - 0 - 3 - 0) / 18)),
        ("{choice: [1, 2, 5], weights: [0.5, 0.25, 0.25]}", 2.25, 1.6394),
        ("{values: [1, 3]}", 2, 1),
        ("{range: [0, 1]}", 0.5, 1 / math.sqrt(12)),
    ):
        for kind, share in (("random", 4), ("latin-hypercube", 0.3), ("sobol", 0.3)):
            study(DESIGN % (text, kind, ""))
            a = column("a")
            error = share * sigma / math.sqrt(4000)
            near("mean of %s, %s" % (text, kind), statistics.mean(a), mean, error + 1e-4)
            near("sigma of %s, %s" % (text, kind), statistics.pstdev(a), sigma, 0.04 * sigma)
    study(DESIGN % ("{log-range: [1, 100]}", "latin-hypercube", ""))
    near("median of log-range", statistics.median(column("a")), 10, 0.1)
    a = column("a")
    check("bounds of log-range", min(a) >= 1 and max(a) <= 100, (min(a), max(a)))


def test_correlations():
    write("Line.mo", LINE)
    study("""model: Line.mo
factors:
  a: {normal: [1, 2]}
  b: {normal: [0, 1]}
  c: {uniform: [0, 1]}
correlations: [[a, b, 0.8]]
design: {kind: latin-hypercube, points: 4000, seed: 3}
keep: {y: end(y)}
output: s.csv
""")
    a, b, c = column("a"), column("b"), column("c")
    near("a and b", statistics.correlation(a, b), 0.8, 0.02)
    near("a and c", statistics.correlation(a, c), 0, 0.05)


def test_grids_and_lists():
    write("Line.mo", LINE)
    study("""model: Line.mo
factors:
  a: {range: [0, 1, 3]}
  b: {values: [5, 7]}
  on: {values: [true, false]}
design: {kind: grid}
keep: {y: end(y), half: y/2}
output: s.csv
""")
    table = rows()
    right = [(a, b, on) for a in (0, 0.5, 1) for b in (5, 7) for on in ("true", "false")]
    check("grid", [(float(r["a"]), float(r["b"]), r["on"]) for r in table] == right, table)
    for r, (a, b, on) in zip(table, right):
        near("y", float(r["y"]), a + 2 * b + 10 * (on == "true"), 1e-12)
        near("half", float(r["half"]), float(r["y"]) / 2, 1e-12)
    study("""model: Line.mo
factors: {a: {range: "1:0.5:2"}, b: {log-range: [1, 100, 3]}, c: {uniform: [0, 4]}}
design: {kind: grid, levels: 3}
keep: {y: end(y)}
output: s.csv
""")
    check("ranges", sorted(set(column("a"))) == [1, 1.5, 2] and len(rows()) == 27)
    near("logarithmic", sorted(set(column("b")))[1], 10, 1e-12)
    check("levels", sorted(set(column("c"))) == [0, 2, 4], column("c"))
    write("points.csv", "b,a\n1,2\n3,4\n")
    study("""model: Line.mo
factors: {a: {uniform: [0, 9]}, b: {uniform: [0, 9]}}
design: {kind: list, file: points.csv}
keep: {y: end(y)}
output: s.csv
""")
    check("list", column("y") == [4, 10] and column("a") == [2, 4], rows())


def test_sobol_points():
    """Without scrambling, the first points of the sequence in base 2; with it, one point in each
    elementary interval."""
    write("Line.mo", LINE)
    text = """model: Line.mo
factors: {a: {uniform: [0, 1]}, b: {uniform: [0, 1]}, c: {uniform: [0, 1]}}
design: {kind: sobol, points: 64, seed: 5%s}
keep: {y: end(y)}
output: s.csv
"""
    study(text % ", scramble: false")
    known = [(0, 0, 0), (0.5, 0.5, 0.5), (0.25, 0.75, 0.75), (0.75, 0.25, 0.25),
             (0.125, 0.625, 0.375), (0.625, 0.125, 0.875), (0.375, 0.375, 0.625),
             (0.875, 0.875, 0.125)]
    found = [tuple(float(r[n]) for n in "abc") for r in rows()[:8]]
    key = lambda points: sorted(tuple(round(x, 6) for x in p) for p in points)
    check("sequence", key(found) == key(known), found)
    for text_ in (text % ", scramble: false", text % ""):
        study(text_)
        for x, y in ("ab", "ac", "bc"):
            for p in range(7) if (x, y) == ("a", "b") else (0, 6):
                cells = {(int(float(r[x]) * 2**p), int(float(r[y]) * 2 ** (6 - p)))
                         for r in rows()}
                check("elementary intervals %d of %s%s" % (p, x, y), len(cells) == 64, len(cells))


def test_indices():
    """y = a + 2b: shares 1/5 and 4/5; x(1)*y: with interactions, by the closed form."""
    write("Line.mo", LINE)
    for kind, points in (("saltelli", 512), ("latin-hypercube", 800), ("sobol", 512)):
        study("""model: Line.mo
factors: {a: {uniform: [0, 1]}, b: {uniform: [0, 1]}}
design: {kind: %s, points: %d, seed: 1}
keep: {y: end(y), p: end(a*b)}
output: s.csv
""" % (kind, points))
        rc, out, err = call("study", "s.yaml", "--summary", "--plot", "s.html")
        check("summary", rc == 0, err)
        found = [line.split() for line in out.splitlines()]
        lines = [w for w in found if len(w) == 7 and w[0] in "ab" and w[2] == "±"]
        first = [float(w[1]) for w in lines]
        total = [float(w[4]) for w in lines]
        right = [0.2, 0.8, 3 / 7, 3 / 7], [0.2, 0.8, 4 / 7, 4 / 7]
        for value, exact in zip(first + total, right[0] + right[1]):
            near("index, " + kind, value, exact, 0.06)
        check("page", "<svg" in open("s.html").read())
    check("distribution", any(w[:1] == ["y"] and abs(float(w[1]) - 1.5) < 0.02 for w in found))
    study("""model: Line.mo
factors: {a: {uniform: [0, 1]}, b: {uniform: [0, 2]}, c: {uniform: [0, 1]}}
design: {kind: morris, trajectories: 20, seed: 1}
keep: {y: end(y)}
output: s.csv
""")
    check("points of morris", len(rows()) == 80)
    out = call("study", "s.yaml", "--summary")[1].splitlines()
    effects = {w[0]: (float(w[1]), float(w[3])) for w in map(str.split, out)
               if len(w) == 5 and w[0] in "abc"}
    for name, exact in (("a", 1), ("b", 4), ("c", 0)):
        near("effect of " + name, effects[name][0], exact, 1e-9)
        near("spread of " + name, effects[name][1], 0, 1e-9)


def test_pictures_of_every_design():
    """Each page has a response in the factors' own units; without indices, the reason is given."""
    write("Line.mo", LINE)
    head = "model: Line.mo\nfactors: {a: {%s}, b: {%s}}\nkeep: {y: end(y), three: end(y)*0 + 3}\n"
    normal, levels = "normal: [5, 1]", "values: [1, 2, 7]"
    for design, a, b, words in (
        ("{kind: sobol, points: 64}", normal, normal, ["Sobol indices of y"]),
        ("{kind: saltelli, points: 16}", normal, normal, ["Sobol indices of y"]),
        ("{kind: morris, trajectories: 4}", normal, normal, ["Elementary effects on y"]),
        ("{kind: grid}", levels, levels, ["no Sobol indices of y: a grid has no distributions"]),
        ("{kind: random, points: 40}\ncorrelations: [[a, b, 0.5]]", normal, normal,
         ["no Sobol indices of y: the factors are correlated"]),
        ("{kind: random, points: 3}", normal, normal, ["y: there are too few points"]),
    ):
        study(head % (a, b) + "design: " + design + "\n", "--fresh")
        rc, out, err = call("study", "s.yaml", "--summary", "--plot", "s.html")
        check(design, rc == 0 and all(w in out for w in words), (out, err))
        page = open("s.html").read()
        check(design + " has a response", re.search(r">y: [-0-9.e+]+ \(dark\) to", page))
        drawn = "Sobol indices of y: first" in page
        check(design + " draws indices", drawn == (words[0] == "Sobol indices of y"))
        if "grid" not in design:
            reason = "no Sobol indices of three: it does not vary"
            check("no values: " + design, reason in out or "morris" in design, out)
        else:
            check("nine cells", page.count("rgb(") == 18, page.count("rgb("))
        if "points: 64" in design:  # 98 % of the values of each factor
            labels = page.split("<text x=\"56\" y=\"14\">y: ")[1]
            ends = [float(x) for x in re.findall(r">(-?[0-9.]+)</text>", labels)[:4]]
            check("ends of the axes", all(abs(abs(x - 5) - 2.326) < 0.01 for x in ends), ends)


def test_pictures_of_the_largest_numbers():
    """The distance of two of them is infinite; every place in the pictures is a number."""
    write("Line.mo", LINE.replace("y = a + 2*b", "y = a*1.7e308 + 2*b"))
    head = "model: Line.mo\nfactors: {a: {%s}, b: {values: [1, 2]}}\nkeep: {y: end(y)}\n"
    for a, design in ("values: [-1, 1, 0.5]", "grid"), ("uniform: [-1, 1]", "random, points: 40"):
        study(head % a + "design: {kind: %s}\n" % design, "--fresh")
        rc, out, err = call("study", "s.yaml", "--summary", "--plot", "s.html")
        svg = "".join(re.findall(r"<(?:rect|circle|text) [^>]*>", open("s.html").read()))
        check("places of " + design, rc == 0 and svg and not re.search("nan|inf|-2147", svg), svg)


def test_kept_values():
    write("Wave.mo", """model Wave
  parameter Real f = 1;
  constant Real pi = 3.141592653589793;
  Real s = sin(2*pi*f*time), r(start = 0, fixed = true);
equation
  der(r) = 1;
end Wave;
""")
    study("""model: Wave.mo
stop-time: 2
intervals: 4000
factors: {f: {values: [1, 2]}}
design: {kind: grid}
keep:
  end: end(r)
  start: start(r) + 1
  least: min(s)
  most: max(s)
  mean: mean(s^2)
  rms: rms(s)
  integral: integral(r)
  crossings: count(s > 0.5)
  third: time(s > 0.5, 3)
  never: time(r > 5)
  both: max(end(r), 7) - abs(-2)*min(1, 3)
  rate: end(der(r))
output: s.csv
""")
    for f, r in zip((1, 2), rows()):
        for name, right in (
            ("end", 2), ("start", 1), ("least", -1), ("most", 1), ("mean", 0.5),
            ("rms", math.sqrt(0.5)), ("integral", 2), ("crossings", 2 * f), ("both", 5),
            ("rate", 1)
        ):
            near(name, float(r[name]), right, 2e-5)
        check("never", r["never"] == "", r)
        check("third", (r["third"] == "") == (f == 1), r)
    near("third time", float(r["third"]), 1 + math.asin(0.5) / (4 * math.pi), 1e-3)


def test_failures_are_kept():
    write("Fails.mo", """model Fails
  parameter Real a = 1;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  assert(x < a, "x is too large");
end Fails;
""")
    text = """model: Fails.mo
factors: {a: {values: [0.5, 2, 0.25]}}
design: {kind: grid}
keep: {x: end(x)}
output: s.h5
"""
    err = study(text, status=3)
    check("counts", "3 points, 1 ok, 2 failed" in err, err)
    table = rows()
    check("status", [r["status"] for r in table] == ["failed", "ok", "failed"], table)
    check("no value of a part", table[0]["x"] == table[2]["x"] == "", table)
    near("the whole run", float(table[1]["x"]), 1, 1e-9)
    out = h5("f = h5py.File('s.h5'); print(list(f['status'][:]), f['message'][0].decode())")
    check("reason", out.startswith("[2, 1, 2]") and "x is too large" in out, out)
    rc, out, _ = call("study", "s.yaml", "--summary")
    check("summary", "1 ok, 2 failed" in out and "2 of 3 points have no value" in out, out)
    check("reasons", re.search(r"2  R\d+: .*x is too large.*\(point 1\)", out), out)
    table = rows("s.failures.csv")
    check("list of failures", [(r["point"], r["status"]) for r in table]
          == [("1", "failed"), ("3", "failed")] and "x is too large" in table[1]["message"], table)
    err = study(text.replace("output:", "limits: {failure: stop}\noutput:"), "--jobs", "1",
                status=3)
    check("stop at the first failure", "not finished" in err, err)
    shutil.rmtree("s.journal")
    write("Slow.mo", SLOW)
    study("""model: Slow.mo
stop-time: 1e9
solver: euler
step: 1e-3
limits: {seconds: 0.1}
factors: {k: {values: [1]}}
design: {kind: grid}
keep: {x: end(x)}
output: s.h5
""", status=3)
    out = h5("f = h5py.File('s.h5'); print(f['message'][0].decode())")
    check("limit of seconds", "R027" in out, out)


def test_a_crash_costs_its_point():
    write("Crash.mo", CRASH)
    err = study("""model: Crash.mo
factors: {a: {values: [0.1, 0.9, 0.2, 0.8, 0.3]}}
design: {kind: grid}
keep: {x: end(x)}
output: s.h5
""", "--jobs", "2", status=3)
    check("counts", "5 points, 3 ok, 0 failed, 2 crashed" in err, err)
    check("status", [r["status"] for r in rows()] == ["ok", "crashed", "ok", "crashed", "ok"])
    out = h5("f = h5py.File('s.h5'); print(f['message'][1].decode())")
    check("reason", "signal 14" in out or program.SANITIZED, out)


SLOW_STUDY = """model: Slow.mo
stop-time: 100
solver: euler
step: 1e-3
factors: {k: {uniform: [0.5, 2]}}
design: {kind: random, points: 60, seed: 9}
keep: {x: end(x), m: mean(x)}
output: {file: slow.h5}
"""


def start(*words):
    return subprocess.Popen([*words, program.KAIROS, "study", "slow.yaml"],
                            stderr=subprocess.PIPE, start_new_session=True)


def wait_for_points(n):
    """Until journals have so many records, about."""
    for _ in range(2000):
        size = sum(os.path.getsize("slow.journal/" + f) for f in os.listdir("slow.journal")
                   if f.endswith(".points")) if os.path.exists("slow.journal") else 0
        if size > 3 * 288 + 64 * n:
            return
        time.sleep(0.01)
    check("points are finished", False)


def children(process):
    with open("/proc/%d/task/%d/children" % (process.pid, process.pid)) as f:
        return [int(x) for x in f.read().split()]


def call_with_little_memory(study):
    def limit():  # the sanitizers need more addresses
        if not program.SANITIZED:
            resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))

    p = subprocess.run([program.KAIROS, "study", study], stderr=subprocess.PIPE, preexec_fn=limit)
    return p.returncode, p.stderr.decode()


def test_too_many_points():
    """A study that does not fit into memory ends with a message, and with no signal."""
    if program.SANITIZED:
        return
    write("Slow.mo", SLOW)
    factor = "factors: {k: {uniform: [0.5, 0.9]}}\n"
    design = "design: {kind: latin-hypercube, points: 900000000, seed: 1}\n"
    write("large.yaml", "model: Slow.mo\n" + factor + design + "keep: {x: end(x)}\n")
    rc, err = call_with_little_memory("large.yaml")
    check("no memory", rc == 1 and "more memory" in err, (rc, err))


def test_damaged_journal():
    """A record that claims more rows than the file has ends the journal, and takes no memory."""
    write("Slow.mo", SLOW)
    write("slow.yaml", SLOW_STUDY)
    p = start()
    wait_for_points(8)
    os.killpg(p.pid, signal.SIGKILL)
    p.communicate()
    for f in os.listdir("slow.journal"):
        if f.endswith(".points"):
            with open("slow.journal/" + f, "ab") as j:
                j.write(struct.pack("<QQdHHIQ", 1, 1 << 29, 0.1, 1, 0, 0, 0) + bytes(4096))

    rc, err = call_with_little_memory("slow.yaml")
    check("continues", rc == 0 and "of 60 points are finished" in err, (rc, err))
    check("all points", [r["status"] for r in rows("slow.csv")] == ["ok"] * 60)


def test_resume():
    write("Slow.mo", SLOW)
    write("slow.yaml", SLOW_STUDY)
    rc, _, err = call("study", "slow.yaml")
    check("undisturbed", rc == 0, err)
    right = [open(f, "rb").read() for f in ("slow.h5", "slow.csv")]
    for what in ("coordinator", "all", "worker", "interrupt"):
        for f in ("slow.h5", "slow.csv"):
            os.remove(f)
        p = start()
        wait_for_points(8)
        workers = children(p)
        if what == "worker":
            os.kill(workers[0], signal.SIGKILL)
        elif what == "all":
            os.killpg(p.pid, signal.SIGKILL)
        else:
            p.send_signal(signal.SIGINT if what == "interrupt" else signal.SIGKILL)
        err = p.communicate()[1].decode()
        if what == "worker":
            check("goes on without the worker", p.returncode == 0, err)
        else:
            check("killed", p.returncode in (-9, 130), p.returncode)
            check("no result of a part", not os.path.exists("slow.csv"))
            rc, _, err = call("study", "slow.yaml")
            check("continues", rc == 0 and "of 60 points are finished" in err, err)
        check("same bytes after a kill of " + what,
              right == [open(f, "rb").read() for f in ("slow.h5", "slow.csv")])


def test_a_changed_study_is_refused():
    write("Slow.mo", SLOW)
    write("slow.yaml", SLOW_STUDY)
    p = start()
    wait_for_points(4)
    rc, _, err = call("study", "slow.yaml")
    check("two coordinators", rc == 2 and "another process works on this study" in err, err)
    p.kill()
    p.communicate()
    write("slow.yaml", SLOW_STUDY.replace("points: 60", "points: 50"))
    rc, _, err = call("study", "slow.yaml")
    check("changed", rc == 2 and "has changed" in err and "line 6 was" in err, err)
    write("slow.yaml", SLOW_STUDY)
    write("Slow.mo", SLOW.replace("-k*x", "-2*k*x"))
    rc, _, err = call("study", "slow.yaml")
    check("changed model", rc == 2 and "the model" in err, err)
    rc, _, err = call("study", "slow.yaml", "--fresh")
    check("begins anew", rc == 0 and len(rows("slow.csv")) == 60, err)


def test_a_changed_library_is_refused():
    """Points of two versions of a model are never mixed."""
    os.mkdir("Lib")
    write("Lib/package.mo", "package Lib\n  constant Real k = 1;\nend Lib;\n")
    write("Lib/M.mo", "within Lib;\nmodel M\n  parameter Real p = 1;\n  Real x = k*p;\nend M;\n")
    write("s.yaml", """model: Lib.M
library: [Lib]
factors: {p: {values: [1, 2, 3, 4]}}
keep: {x: end(x)}
""")
    rc, _, err = call("study", "s.yaml", "--part", "1/2")
    check("a part", rc == 0 and "part 1 of 2" in err, err)
    write("Lib/package.mo", "package Lib\n  constant Real k = 2;\nend Lib;\n")
    rc, _, err = call("study", "s.yaml")
    check("refused", rc == 2 and "the model" in err and "has changed" in err, err)
    write("Lib/package.mo", "package Lib\n  constant Real k = 1; // the same\nend Lib;\n")
    rc, _, err = call("study", "s.yaml")
    check("continues", rc == 0 and [float(r["x"]) for r in rows()] == [1, 2, 3, 4], err)


def test_a_full_disk():
    write("Slow.mo", SLOW)
    write("slow.yaml", SLOW_STUDY.replace("stop-time: 40", "stop-time: 1"))
    rc, _, err = call("study", "slow.yaml")
    right = open("slow.h5", "rb").read()
    limit = ["bash", "-c", "ulimit -f 1; trap '' XFSZ; exec \"$@\"", "bash"]
    p = start(*limit)  # files of at most 1 kB
    err = p.communicate()[1].decode()
    check("a file that cannot grow is reported", p.returncode != 0 and "cannot write" in err, err)
    rc, _, err = call("study", "slow.yaml")
    check("continues", rc == 0 and right == open("slow.h5", "rb").read(), err)


def test_every_error_of_writing_is_seen():
    """The HDF5 library writes most of a file when its parts are closed."""
    write("Line.mo", LINE)
    text = "model: Line.mo\nfactors: {a: {values: [1, 2]}}\nkeep: {x: end(x)}\n"
    write("s.yaml", text)
    if not shutil.which("strace") or subprocess.run(["strace", "-o", "t", "true"]).returncode:
        return
    right = None
    for n in range(0, 7):  # the n-th call fails
        for name in ("s.h5", "s.csv"):
            if os.path.exists(name):
                os.remove(name)
        inject = ["-e", "inject=pwrite64:error=ENOSPC:when=%d" % n] if n else []
        p = subprocess.run(
            ["strace", "-f", "-o", "t", "-e", "trace=pwrite64", *inject, program.KAIROS]
            + ["study", "s.yaml", "--jobs", "1"],
            capture_output=True,
            env=dict(os.environ, ASAN_OPTIONS="detect_leaks=0"),  # impossible while traced
        )
        hit = n and "INJECTED" in open("t").read()
        right = right or open("s.h5", "rb").read()
        if hit:
            check("call %d is reported" % n, p.returncode == 2 and b"cannot write" in p.stderr, n)
            check("no file", not os.path.exists("s.h5"))
            rc, _, err = call("study", "s.yaml")
            check("the same command writes it", rc == 0, err)
        check("the same bytes", open("s.h5", "rb").read() == right, n)


def test_long_runs_first():
    """The order of points is that of the times of the study before."""
    write("Slow.mo", SLOW.replace("end Slow", '  assert(k < 3, "k");\nend Slow'))
    text = """model: Slow.mo
factors: {k: {values: [1, 2, 4]}}
design: {kind: grid}
keep: {x: end(x)}
output: s.h5
"""
    study(text, status=3)
    times = "point,seconds,host\n1,%g,a\n2,%g,a\n3,%g,a\n"
    stop = text.replace("output:", "limits: {failure: stop}\noutput:")
    for seconds, left in (((0.1, 0.2, 0.3), "2 of 3"), ((0.1, 0.3, 0.2), "1 of 3")):
        write("s.times.csv", times % seconds)
        err = study(stop, "--jobs", "1", status=3)
        check("the last point fails", left + " points are not finished" in err, err)
        shutil.rmtree("s.journal")


def test_parts():
    write("Slow.mo", SLOW)
    write("slow.yaml", SLOW_STUDY.replace("stop-time: 100", "stop-time: 4"))
    rc, _, err = call("study", "slow.yaml")
    right = [open(f, "rb").read() for f in ("slow.h5", "slow.csv")]
    for f in ("slow.h5", "slow.csv"):
        os.remove(f)
    words = [program.KAIROS, "study", "slow.yaml", "--jobs", "1", "--part"]
    parts = [subprocess.Popen(words + ["%d/4" % k], stderr=subprocess.PIPE, text=True)
             for k in (4, 2, 1)]
    for p in parts:
        err = p.communicate(timeout=120)[1]
        check("a part", p.returncode == 0 and "of 4 is finished" in err, err)
    check("not complete", not os.path.exists("slow.csv"))
    rc, _, err = call("study", "slow.yaml", "--part", "3/4")
    check("the last part", rc == 0 and "60 points, 60 ok" in err, err)
    check("same bytes", right == [open(f, "rb").read() for f in ("slow.h5", "slow.csv")])
    check("journals are gone", not os.path.exists("slow.journal"))
    for part in ("0/4", "5/4", "3", "x/4", "1/4x"):
        rc, _, err = call("study", "slow.yaml", "--part", part)
        check("part " + part, rc == 2 and "such as 3/8" in err, err)


def test_mpi():
    if not shutil.which("mpirun"):
        print("mpirun is not installed")
        return
    write("Slow.mo", SLOW)
    write("slow.yaml", SLOW_STUDY.replace("stop-time: 100", "stop-time: 4"))
    rc, _, err = call("study", "slow.yaml")
    right = [open(f, "rb").read() for f in ("slow.h5", "slow.csv")]
    env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    env["ASAN_OPTIONS"] = "detect_leaks=0"  # OpenMPI's threads confuse it
    words = ["mpirun", "--oversubscribe", "-n", "3", program.KAIROS, "study", "slow.yaml"]

    def run(**more):
        p = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                           env=dict(env, **more), timeout=120)
        return p.returncode, p.stdout
    os.remove("slow.h5")
    rc, out = run()
    check("mpirun", rc == 0, out)
    check("one study, not three", out.count("60 points, 60 ok") == 1, out)
    check("same bytes", right == [open(f, "rb").read() for f in ("slow.h5", "slow.csv")])
    hosts = {r["point"] for r in rows("slow.times.csv")}
    check("all points", len(hosts) == 60)
    write("Slow.mo", SLOW.replace("-k*x", "-kk*x"))
    rc, out = run()
    check("one process of a machine compiles", rc == 1 and out.count("error[") == 1, out)
    write("Slow.mo", SLOW)
    rc, out = run(KAIROS_MPI="/nonexistent/libmpi.so")
    check("without the library it refuses", rc != 0 and "libopenmpi3" in out, out)


def test_slurm_script():
    write("Ball.mo", BALL)
    write("s.yaml", NORMATIVE)
    rc, out, err = call("study", "s.yaml", "--slurm", "--dry-run", "--nodes", "4", "--time",
                        "1:00:00")
    check("dry run", rc == 0, err)
    for line in ("#SBATCH --nodes=4", "#SBATCH --time=1:00:00", "#SBATCH --requeue",
                 "#SBATCH --signal=B:USR1@60"):
        check(line, line in out.splitlines(), out)
    check("valid", subprocess.run(["bash", "-n"], input=out, text=True).returncode == 0)
    rc, out, err = call("study", "s.yaml", "--slurm", "--dry-run", "--array", "8", "--tasks", "2")
    check("array", rc == 0 and "#SBATCH --array=1-8" in out.splitlines()
          and '--part "$SLURM_ARRAY_TASK_ID"/8' in out, out)
    check("valid array", subprocess.run(["bash", "-n"], input=out, text=True).returncode == 0)
    check("nothing was submitted", not os.path.exists("ball.journal"))
    rc, out, err = call("study", "s.yaml", "--slurm", env=dict(os.environ, PATH="/nonexistent"))
    check("no Slurm", rc == 2 and "slurm-client" in err, err)


def test_bad_input():
    write("Ball.mo", BALL)
    write("twice.csv", "e,h.start,e\n0.5,1,0.6\n")
    good = NORMATIVE
    for old, new, words in (
        ("  e: {", "  ee: {", ["'ee'", "did you mean 'e'"]),
        ("uniform: [0.5, 0.9]", "uniform: [0.5, 1.9]", ["s.yaml:5", "leaves the bounds", "to 1"]),
        ("uniform: [0.5, 0.9]", "normal: [0.5, 0.5]", ["leaves the bounds", "truncate"]),
        ("uniform: [0.5, 0.9]", "unifrom: [0.5, 0.9]", ["s.yaml:5", "did you mean 'uniform'"]),
        ("uniform: [0.5, 0.9]", "uniform: [0.5]", ["[low, high]"]),
        ("uniform: [0.5, 0.9]", "uniform: [0.9, 0.5]", ["not in order"]),
        ("latin-hypercube", "latin", ["s.yaml:7", "needs a kind"]),
        ("points: 200, ", "", ["number of points"]),
        ("end(h)", "end(hh)", ["'hh'", "did you mean 'h'"]),
        ("end(h)", "ende(h)", ["'ende'", "did you mean 'end'"]),
        ("end(h)", "end(h", ["')' is missing"]),
        ("end(h)", "max(end(h))", ["inside another"]),
        ("count(h <= 0)", "count(h)", ["an event is a relation"]),
        ("model: Ball.mo", "model: Bal.mo", ["Bal.mo"]),
        ("stop-time: 2", "stop-tme: 2", ["did you mean 'stop-time'"]),
        ("stop-time: 2", "stop-time: two", ["stop-time is not a number"]),
        ("stop-time: 2", "stop-time: -2", ["the stop time -2 is before the start time 0"]),
        ("h_end:", "status:", ["s.yaml:9", "has a column 'status' already"]),
        ("factors:", "factors: [", ["s.yaml"]),
        ("stop-time: 2", "%odel\0", ["s.yaml:2:6", "byte 0x00 is not text"]),
        ("{kind: latin-hypercube, points: 200, seed: 1}", "{kind: list, file: no.csv}",
         ["no.csv"]),
        ("{kind: latin-hypercube, points: 200, seed: 1}", "{kind: grid}", ["needs levels"]),
        ("points: 200", "points: 2.5", ["s.yaml:7: points is not a whole number"]),
        ("stop-time: 2", "stop-time: 2\nsolver: cvod", ["did you mean 'cvode'"]),
        ("stop-time: 2", "intervals: 0", ["intervals is a number"]),
        ("stop-time: 2", "tolerance: -1", ["tolerance is not a positive number"]),
        ("stop-time: 2", "limits: {seconds: 0}", ["seconds is not a positive number"]),
        ("set: {v.start: 0.0}", "set: {e: 0.5}", ["s.yaml:5", "'e' is a factor, and has a value"]),
        ("stop-time: 2", "correlations: [[e, h.start, 0.5]]\nlimits: [",  ["s.yaml:"]),
        ("{kind: latin-hypercube, points: 200, seed: 1}",
         "{kind: saltelli, points: 8}\ncorrelations: [[e, h.start, 0.5]]", ["correlations need"]),
        ("{kind: latin-hypercube, points: 200, seed: 1}", "{kind: list, file: twice.csv}",
         ["twice.csv:1: column 'e' is there twice"]),
    ):
        assert old in good
        write("s.yaml", good.replace(old, new))
        rc, _, err = call("study", "s.yaml")
        check("refused: " + new, rc == 2 and all(w in err for w in words), (rc, err))
        check("one message: " + new, err.count("number of points") < 2 and "<0x" not in err, err)
        check("no result: " + new, not os.path.exists("ball.csv"))
    rc, _, err = call("study", "nothing.yaml")
    check("no file", rc == 2 and "nothing.yaml" in err, err)
    rc, _, err = call("study")
    check("no argument", rc == 2 and err, err)
    write("s.yaml", good)
    rc, _, err = call("study", "s.yaml", "--summary")
    check("no results yet", rc == 2 and "run the study first" in err, err)
    wrong = ("--dry-run", "--nodes 2", "--plot x.html", "--summary --slurm", "--slurm --part 1/2")
    for options in wrong:
        rc, _, err = call("study", "s.yaml", *options.split())
        check("refused: " + options, rc == 2 and "--s" in err, err)
    check("nothing was run", not os.path.exists("ball.csv"))


def test_json_and_classes():
    write("Ball.mo", BALL)
    study(json.dumps({
        "model": "Ball.mo", "class": "Ball", "stop-time": 0.2,
        "factors": {"e": {"values": [0.5, 0.6]}}, "design": {"kind": "grid"},
        "keep": {"h": "end(h)"}, "output": {"file": "j.csv"}}))
    near("height", column("h", rows("j.csv"))[0], 1 - 9.81 / 2 * 0.04, 1e-6)
    check("no HDF5 file", not os.path.exists("j.h5"))
    study("""model: Hybrid.Examples.Circuits.DiodeInductor
factors: {}
design: {kind: list, file: p.csv}
keep: {n: count(events)}
""", status=2)
    os.makedirs("lib/P", exist_ok=True)
    write("lib/P/package.mo", "package P\n%send P;\n" % SLOW)
    study("""model: P.Slow
library: [lib]
factors: {k: [1, 2]}
design: {kind: grid}
keep: {x: end(x)}
output: p.csv
""")
    near("a class of a library", column("x", rows("p.csv"))[1], math.exp(-2), 1e-5)


def test_structural_factors():
    write("Many.mo", """model Many
  parameter Integer n = 1;
  Real x[n](each start = 1, each fixed = true), s = sum(x);
equation
  for i in 1:n loop
    der(x[i]) = -i*x[i];
  end for;
end Many;
""")
    study("""model: Many.mo
factors: {n: {values: [1, 3, 2]}}
design: {kind: grid}
keep: {s: end(s)}
output: s.csv
""")
    for n, s in zip((1, 3, 2), column("s")):
        near("sum", s, sum(math.exp(-i) for i in range(1, n + 1)), 1e-5)


def test_the_study_of_the_document():
    with open(os.path.join(program.TOP, "docs/studies.md"), encoding="utf-8") as f:
        text = f.read()
    write("Ball.mo", BALL)
    write("ball.yaml", text.split("```yaml\n")[1].split("```")[0])
    for line in text.split("```sh\n")[1].split("```")[0].splitlines():
        rc, out, err = call(*line.split()[1:])
        check(line, rc == 0, err)
    check("its results", len(rows("ball.csv")) == 1000 and os.path.exists("ball.html"))


program.run_tests()
