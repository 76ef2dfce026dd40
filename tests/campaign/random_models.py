"""Random hybrid models, as text that can be rewritten without changing its meaning.

A model is a chain of parts. Each part reads signals of earlier parts and offers one signal of size
one. In the text of equations `$x` is a variable, `der($x)` its derivative, `pre($x)` its left
limit, `@` is time, `#(…)` a duration, and `~` the factor of a derivative of an element. `Writing`
says how these are printed."""
import dataclasses, random, re


@dataclasses.dataclass
class Writing:
    """How a model is printed. The default is the plain text; others have the same solution."""

    names: dict = dataclasses.field(default_factory=dict)  # new names of variables
    time: float = 1  # the new time is so many times the old one
    sizes: dict = dataclasses.field(default_factory=dict)  # unit of a state: x is size*x'
    order: int = None  # seed of another order of declarations and equations
    wrapped: bool = False  # the model is a component of another one


@dataclasses.dataclass
class Model:
    seed: int
    parts: list
    classes: list
    declarations: list  # (text, name of the variable or None)
    equations: list
    signals: list
    states: list  # states whose unit may change
    structural: bool = False  # ideal elements
    stop: float = 4

    def text(self, how=Writing()):
        declarations = [self._write(d, how) for d in self.declarations]
        equations = [self._write(e, how) for e in self.equations]
        if how.order is not None:
            rng = random.Random(how.order)
            rng.shuffle(declarations)
            rng.shuffle(equations)
        classes = [self._write(c, how) for c in self.classes]
        body = "  " + "\n  ".join(declarations) + "\nequation\n  " + "\n  ".join(equations)
        if how.wrapped:
            inner = "model Inner\n%s\nend Inner;" % body
            classes.append(inner)
            body = "  Inner part;"
        return "model M\n%s\n%s\nend M;\n" % ("\n".join(classes), body)

    def stop_time(self, how=Writing()):
        return self.stop * how.time

    def reader(self, how=Writing()):
        """A function from the name of a variable to its name and size in the result."""
        prefix = "part." if how.wrapped else ""
        return lambda x: (prefix + how.names.get(x, x), how.sizes.get(x, 1))

    @staticmethod
    def _write(text, how):
        def size(x):
            return how.sizes.get(x, 1)

        def new(x):
            return how.names.get(x, x)

        def scaled(x, value, factor):
            return value if factor == 1 else "(%r*%s)" % (factor, value)

        text = re.sub(r"#\(([^()]*)\)", lambda m: "%.17g" % (eval(m[1]) * how.time), text)
        text = re.sub(
            r"start\((\w+)\) = ([-\w.]+)",
            lambda m: "nominal = %.17g, start = %.17g" % (1 / size(m[1]), float(m[2]) / size(m[1])),
            text,
        )
        text = re.sub(
            r"reinit\(\$(\w+), (.*?)\);",
            lambda m: "reinit(%s, (%s)/%r);" % ("%" + new(m[1]), m[2], size(m[1])),
            text,
        )
        text = re.sub(
            r"(der|pre)\(\$(\w+)\)",
            lambda m: scaled(
                m[2],
                "%s(%s)" % (m[1], "%" + new(m[2])),
                size(m[2]) * (how.time if m[1] == "der" else 1),
            ),
            text,
        )
        text = re.sub(r"\$\$(\w+)", lambda m: new(m[1]), text)  # a declaration
        text = re.sub(r"\$(\w+)", lambda m: scaled(m[1], new(m[1]), size(m[1])), text)
        text = text.replace("%", "").replace("~", "%r*" % how.time)
        return text.replace("@", "time" if how.time == 1 else "(time/%r)" % how.time)


class Builder:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.model = Model(seed, [], [], [], [], [], [])
        self.n = 0

    def number(self, low, high):
        return round(self.rng.uniform(low, high), 3)

    def name(self, stem):
        self.n += 1
        return "%s%d" % (stem, self.n)

    def real(self, stem, text="Real"):
        x = self.name(stem)
        self.model.declarations.append("%s $$%s;" % (text, x))
        return x

    def state(self, stem, start):
        x = self.name(stem)
        self.model.declarations.append("Real $$%s(start(%s) = %r, fixed = true);" % (x, x, start))
        self.model.states.append(x)
        return x

    def equation(self, text):
        self.model.equations.append(text)

    def input(self):
        """An expression of size one of earlier signals and of time."""
        wave = "sin(%r*@ + %r)" % (self.number(0.5, 4), self.number(0, 6))
        if not self.model.signals:
            return wave
        u = "$" + self.rng.choice(self.model.signals)
        v = "$" + self.rng.choice(self.model.signals)
        return self.rng.choice(
            [u, "(0.6*%s + 0.5*%s)" % (u, wave), "(0.7*%s - 0.5*%s)" % (u, v), "%s*%s" % (u, wave)]
        )

    # ---- parts: each adds equations and returns the name of its signal ----

    def lag(self):
        x = self.state("x", self.number(-1, 1))
        self.equation("%r*der($%s) = %s - $%s;" % (self.number(0.1, 1), x, self.input(), x))
        return x

    def oscillator(self):
        x, v = self.state("x", self.number(-1, 1)), self.state("v", 0.0)
        w, d = self.number(1, 5), self.number(0.2, 1)
        self.equation("der($%s) = %r*$%s;" % (x, w, v))
        self.equation("der($%s) = -%r*$%s - %r*$%s + %s;" % (v, w, x, d, v, self.input()))
        return x

    def implicit(self):
        y = self.real("y")
        self.equation("$%s + %r*sin($%s) = %s;" % (y, self.number(0.1, 0.8), y, self.input()))
        return y

    def linear_loop(self):
        n = self.rng.randint(2, 4)
        ys = [self.real("y") for _ in range(n)]
        for i, y in enumerate(ys):
            others = " ".join("+ (%r)*$%s" % (self.number(-0.6, 0.6) / n, o) for o in ys if o != y)
            self.equation("%r*$%s %s = %s;" % (self.number(1, 2), y, others, self.input()))
        return ys[0]

    def limiter(self):
        y, c, u = self.real("y"), self.number(0.2, 0.8), self.input()
        form = self.rng.choice(
            [
                "$%s = if %s > {c} then {c} elseif %s < -{c} then -{c} else %s;" % (y, u, u, u),
                "$%s = max(-{c}, min({c}, %s));" % (y, u),
                "$%s = abs(%s) - {c};" % (y, u),
                "$%s = noEvent(if %s > 0 then %s*%s else 0);" % (y, u, u, u),
            ]
        )
        self.equation(form.replace("{c}", repr(c)))
        return y

    def hysteresis(self):
        b, y = self.real("b", "Boolean"), self.state("x", 0.0)
        u, high = self.input(), self.number(0.1, 0.6)
        self.equation("$%s = %s > %r or pre($%s) and %s > %r;" % (b, u, high, b, u, -high))
        self.equation(
            "%r*der($%s) = (if $%s then 1 else -1) - $%s;" % (self.number(0.2, 1), y, b, y)
        )
        return y

    def sampled(self):
        d = self.name("d")
        self.model.declarations.append("discrete Real $$%s(start = 0, fixed = true);" % d)
        t0, period = self.number(0, 0.3), self.number(0.15, 0.6)
        self.equation(
            "when sample(#(%r), #(%r)) then" % (t0, period)
            + " $%s = %r*pre($%s) + 0.5*%s; end when;"
            % (d, self.number(-0.7, 0.7), d, self.input())
        )
        return d

    def resetting(self):
        x = self.state("x", 0.0)
        top, rate = self.number(0.5, 1), self.number(0.6, 2)
        self.equation("der($%s) = %r + 0.3*%s;" % (x, rate, self.input()))
        self.equation(
            "when $%s >= %r then reinit($%s, %r*pre($%s)); end when;"
            % (x, top, x, self.number(-0.3, 0.3), x)
        )
        return x

    def delayed(self):
        y = self.real("y")
        x = self.lag()
        self.equation("$%s = delay($%s, #(%r));" % (y, x, self.number(0.1, 0.9)))
        return y

    def clocked(self):
        c, y = self.real("c"), self.real("y")
        self.model.declarations[-2] = "Real $$%s(start = 0);" % c
        x = self.lag()
        self.equation(
            "$%s = %r*previous($%s) + 0.5*sample($%s, Clock(#(%r)));"
            % (c, self.number(-0.7, 0.7), c, x, self.number(0.15, 0.6))
        )
        self.equation("$%s = hold($%s);" % (y, c))
        return y

    def function(self):
        f, y = self.name("f"), self.real("y")
        n = self.rng.randint(2, 5)
        self.model.classes.append(
            "function %s input Real u; input Real a[:]; output Real y; protected Real p = 1; "
            "algorithm y := 0; for i in 1:size(a, 1) loop y := y + a[i]*p; p := p*u; "
            "if p > 10 then break; end if; end for; y := y/(1 + abs(y)); end %s;" % (f, f)
        )
        a = ", ".join(repr(self.number(-1, 1)) for _ in range(n))
        self.equation("$%s = %s(%s, {%s});" % (y, f, self.input(), a))
        return y

    def record(self):
        r, f, y, x = self.name("R"), self.name("f"), self.real("y"), self.name("r")
        self.model.classes.append("record %s Real a; Real b[2]; end %s;" % (r, r))
        self.model.classes.append(
            "function %s input %s r; output %s q; algorithm q.a := r.a*0.5 + r.b[2]*0.5; "
            "q.b := {r.b[2], -r.a}; end %s;" % (f, r, r, f)
        )
        self.model.declarations.append("%s $$%s;" % (r, x))
        self.equation("$%s = %s(%s(%s, {%s, %s}));" % (x, f, r, *(self.input() for _ in "abc")))
        self.equation("$%s = 0.5*$%s.a + 0.4*$%s.b[1];" % (y, x, x))
        return y

    def array(self):
        z, y, n = self.name("z"), self.real("y"), self.rng.randint(3, 8)
        self.model.declarations.append("Real $$%s[%d](each start = 0, each fixed = true);" % (z, n))
        rate = self.number(1, 8)
        self.equation(
            "for i in 1:%d loop ~der($%s[i]) = %r*((if i == 1 then %s else $%s[i - 1]) - $%s[i]); "
            "end for;" % (n, z, rate, self.input(), z, z)
        )
        self.equation("$%s = sum($%s)/%d;" % (y, z, n))
        return y

    def algorithm(self):
        y, m = self.real("y"), self.real("m")
        self.equation(
            "algorithm $%s := %s; $%s := 0; for i in 1:3 loop if $%s > 0.2*i then "
            "$%s := $%s + 0.3*($%s - 0.2*i); end if; end for; equation"
            % (m, self.input(), y, m, y, y, m)
        )
        return y

    def derivative(self):
        y, x = self.real("y"), self.lag()
        z = self.real("z")
        self.equation("$%s = $%s + 0.3*sin($%s);" % (z, x, x))
        self.equation("$%s = 0.2*der($%s);" % (y, z))
        return y

    def rigid(self):
        """Two inertias whose speeds are a constraint: index 2."""
        a, b, y = self.real("w"), self.real("w"), self.real("y")
        tau = self.real("tau")
        ratio, start = self.number(0.5, 2), self.number(-1, 1)
        # One start value only: the other speed follows.
        k = next(i for i, d in enumerate(self.model.declarations) if "$$%s;" % a in d)
        self.model.declarations[k] = "Real $$%s(start = %r, fixed = true);" % (a, start)
        self.equation("$%s = %r*$%s;" % (a, ratio, b))
        self.equation("der($%s) = %s - $%s - $%s;" % (a, self.input(), a, tau))
        self.equation("%r*der($%s) = %r*$%s;" % (self.number(0.5, 2), b, ratio, tau))
        self.equation("$%s = $%s/(1 + abs($%s));" % (y, a, a))
        return y

    def machine(self):
        q, y = self.real("q", "Integer"), self.state("x", 0.0)
        k = next(i for i, d in enumerate(self.model.declarations) if "$$%s;" % q in d)
        self.model.declarations[k] = "Integer $$%s(start = 1, fixed = true);" % q
        self.equation(
            "when time >= #(%r) and pre($%s) == 1 then $%s = 2; elsewhen {$%s > %r, "
            "time > #(%r)} then $%s = 3; elsewhen $%s < %r then $%s = 1; end when;"
            % (
                self.number(0.2, 1),
                q,
                q,
                y,
                self.number(0.2, 0.5),
                self.number(1.5, 3),
                q,
                y,
                -0.2,
                q,
            )
        )
        self.equation(
            "%r*der($%s) = (if $%s == 1 then 0.2 elseif $%s == 2 then 1 else -1) - $%s;"
            % (self.number(0.2, 0.6), y, q, q, y)
        )
        return y

    def diode(self):
        """A rectifier with an ideal diode; the source has a resistance."""
        self.model.structural = True
        v, s, i, off = (
            self.state("v", 0.0),
            self.real("s"),
            self.real("i"),
            self.real("o", "Boolean"),
        )
        u = self.real("u")
        self.equation("$%s = %s - %r*$%s - $%s;" % (u, self.input(), self.number(0.1, 1), i, v))
        self.equation("$%s = $%s < 0;" % (off, s))
        self.equation("$%s = if $%s then $%s else 0;" % (u, off, s))
        self.equation("$%s = if $%s then 0 else $%s;" % (i, off, s))
        self.equation("%r*der($%s) = $%s - $%s;" % (self.number(0.2, 1), v, i, v))
        return v

    def rounded(self):
        y, n = self.state("x", 0.0), self.number(1.5, 4)
        self.equation(
            "%r*der($%s) = %s(%r*%s)/%r - $%s;"
            % (
                self.number(0.2, 1),
                y,
                self.rng.choice(["floor", "ceil", "integer"]),
                n,
                self.input(),
                n,
                y,
            )
        )
        return y

    def circuit(self):
        """A ladder of connected components."""
        self.once("connector Pin Real v; flow Real i; end Pin;")
        self.once(
            "model Cell Pin p, n; parameter Real R = 1, C = 1; Real v(start = 0, fixed = true); "
            "equation p.v - n.v = R*p.i; ~C*der(v) = p.i + n.i; v = n.v; end Cell;"
        )
        self.once("model Source Pin p; input Real u; equation p.v = u; end Source;")
        cells, y, n = self.name("cell"), self.real("y"), self.rng.randint(2, 4)
        source = self.name("source")
        self.model.declarations.append("Source $$%s;" % source)
        self.model.declarations.append(
            "Cell $$%s[%d](each R = %r, C = {%s});"
            % (
                cells,
                n,
                self.number(0.3, 1),
                ", ".join(repr(self.number(0.2, 1)) for _ in range(n)),
            )
        )
        self.equation(
            "for i in 1:%d loop connect($%s[i].n, $%s[i + 1].p); end for;" % (n - 1, cells, cells)
        )
        self.equation("$%s.u = %s;" % (source, self.input()))
        self.equation("connect($%s.p, $%s[1].p);" % (source, cells))
        self.equation("$%s = $%s[%d].v;" % (y, cells, n))
        return y

    def matrix(self):
        a, b, y, n = self.name("a"), self.name("b"), self.real("y"), self.rng.randint(2, 3)
        rows = "; ".join(
            ", ".join(repr(self.number(-0.3, 0.3) + 2 * (i == j)) for j in range(n))
            for i in range(n)
        )
        self.model.declarations.append("parameter Real $$%s[%d, %d] = [%s];" % (a, n, n, rows))
        self.model.declarations.append("Real $$%s[%d];" % (b, n))
        self.equation("$%s*$%s = {%s};" % (a, b, ", ".join(self.input() for _ in range(n))))
        self.equation("$%s = 0.5*$%s*$%s;" % (y, b, b))
        return y

    def branches(self):
        """An if-equation whose branches have other equations."""
        y, z, u = self.real("y"), self.real("z"), self.input()
        self.equation(
            "if %s > %r then $%s = 0.5*%s; $%s + $%s = 1; else $%s = 0.2; $%s = %s - 0.1*$%s; "
            "end if;" % (u, self.number(-0.3, 0.3), y, u, y, z, z, y, u, z)
        )
        return y

    def counter(self):
        b, n, y = self.real("b", "Boolean"), self.name("n"), self.state("x", 0.0)
        self.model.declarations.append("Integer $$%s(start = 0, fixed = true);" % n)
        self.equation("$%s = %s > %r;" % (b, self.input(), self.number(-0.4, 0.4)))
        self.equation(
            "when %s($%s) then $%s = pre($%s) + 1; end when;"
            % (self.rng.choice(["edge", "change"]), b, n, n)
        )
        self.equation("%r*der($%s) = mod($%s, 3)/3 - $%s;" % (self.number(0.2, 1), y, n, y))
        return y

    def plain_operator(self):
        y, u = self.state("x", 0.0), self.name("u")
        self.model.declarations.append("Real $$%s;" % u)
        self.equation("$%s = 2.3*%s;" % (u, self.input()))
        f = self.rng.choice(
            [
                "floor(%s)",
                "ceil(%s)",
                "mod(%s, 1)",
                "rem(%s, 1)",
                "div(%s, 1)",
                "sign(%s)",
                "integer(%s)",
                "abs(%s)",
                "smooth(0, max(%s, 0))",
                "semiLinear(%s, 0.5, 2)",
                "homotopy(%s, 0)",
            ]
        ) % ("$" + u)
        self.equation("%s = der($%s) + 3*$%s;" % (f, y, y))
        return y

    def initial(self):
        x, y = self.name("x"), self.real("y")
        self.model.declarations.append("Real $$%s(start = 0.1);" % x)
        self.equation(
            "%r*der($%s) = %s - $%s - 0.2*$%s^3;" % (self.number(0.2, 1), x, self.input(), x, x)
        )
        self.equation("initial equation der($%s) = %r; equation" % (x, self.number(-0.5, 0.5)))
        self.equation("$%s = $%s/(1 + $%s^2);" % (y, x, x))
        return y

    def enumeration(self):
        e, m, y = self.name("E"), self.name("m"), self.state("x", 0.0)
        self.model.classes.append("type %s = enumeration(low, mid, high);" % e)
        self.model.declarations.append("%s $$%s(start = %s.low, fixed = true);" % (e, m, e))
        u, c = self.input(), self.number(0.1, 0.5)
        self.equation(
            "when {%s > %r, %s < -%r} then $%s = if %s > 0 then %s.high else %s.mid; end when;"
            % (u, c, u, c, m, u, e, e)
        )
        self.equation(
            "%r*der($%s) = (Integer($%s) - 2)*0.8 - $%s;" % (self.number(0.2, 1), y, m, y)
        )
        return y

    def clocks(self):
        """Two clocks of which one is slower."""
        a, b, y, x = self.name("c"), self.name("c"), self.real("y"), self.lag()
        self.model.declarations += ["Real $$%s(start = 0);" % a, "Real $$%s(start = 0);" % b]
        self.equation(
            "$%s = 0.5*previous($%s) + 0.5*sample($%s, Clock(#(%r)));"
            % (a, a, x, self.number(0.05, 0.2))
        )
        self.equation(
            "$%s = 0.4*previous($%s) + subSample($%s, %d);" % (b, b, a, self.rng.randint(2, 4))
        )
        self.equation("$%s = 0.5*hold($%s);" % (y, b))
        return y

    def once(self, text):
        if text not in self.model.classes:
            self.model.classes.append(text)

    PARTS = [
        circuit,
        matrix,
        branches,
        counter,
        plain_operator,
        initial,
        enumeration,
        clocks,
        lag,
        oscillator,
        implicit,
        linear_loop,
        limiter,
        hysteresis,
        sampled,
        resetting,
        delayed,
        clocked,
        function,
        record,
        array,
        algorithm,
        derivative,
        rigid,
        machine,
        diode,
        rounded,
    ]


def random_model(seed):
    b = Builder(seed)
    n = b.rng.randint(2, 8)
    for part in [Builder.lag] + [b.rng.choice(Builder.PARTS) for _ in range(n)]:
        b.model.parts.append(part.__name__)
        b.model.signals.append(part(b))
    return b.model


def renamed(m, seed):
    """Other names, also such that C and Modelica could confuse."""
    rng = random.Random(seed)
    words = [
        "int",
        "double",
        "x_1",
        "_x",
        "derx",
        "NaN",
        "INFINITY",
        "main",
        "data",
        "'a b'",
        "'}*/ x'",
        "self",
        "t",
        "e",
        "E1",
        "pi",
        "M_PI",
        "printf",
        "static",
        "inline",
        "y0",
    ]
    names = [re.search(r"\$\$(\w+)", d)[1] for d in m.declarations]
    new = words + ["v%d" % i for i in range(len(names))]
    rng.shuffle(new)
    return dict(zip(names, new))


def writings(m, seed):
    """Texts with the same solution, by the name of the change."""
    rng = random.Random(seed)
    sizes = {x: rng.choice([1e-3, 0.25, 8.0, 1000.0]) for x in m.states}
    return {
        "renamed": Writing(names=renamed(m, seed)),
        "reordered": Writing(order=seed),
        "time scaled": Writing(time=rng.choice([0.001, 0.5, 60.0])),
        "units scaled": Writing(sizes=sizes),
        "wrapped": Writing(wrapped=True),
    }
