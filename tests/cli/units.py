"""Units as `kairos check --units` sees them."""
import json, os, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import call, check, write

DECLARED = """model M
  parameter Real m(unit = "kg") = 2, k(unit = "N/m") = 3, c = 4;
  Real x(unit = "m", start = 1), v(unit = "m/s"), a(unit = "m/s2"), F(unit = "N"), E(unit = "J"), P(unit = "kW"), A(unit = "m2"),
    y(unit = "mm"), phi(unit = "rad"), w(unit = "rad/s"), n(unit = "rev/min"), f(unit = "Hz"), z(unit = "1"), T(unit = "degC"), u, r[2](each unit = "m"),
    p(unit = "Pa"), V(unit = "m3"), s(unit = "m/s(1/2)");
equation
  %s
end M;
"""

GOOD = [
    "der(x) = v;",
    "F = m*a;",
    "E = 0.5*m*v^2 + k*x*x/2;",
    "E = F*x;",
    "x = sqrt(A);",
    "A = x^2;",
    "x = A^(1/2);",
    "w = der(phi);",
    "f = w/(2*3.14159265358979);",
    "z = x;",
    "x = z*x;",
    "F = c*x;",
    "u = x; u = 2*r[1];",
    "x = 1000;",
    "x = 9.81*v;",
    "T = 20 + x;",
    "x = if v > 0 then r[1] else -r[2];",
    "r = {x, 2*x};",
    "phi = atan2(x, r[1]);",
    "phi = sin(w*time);",
    "x = sin(time);",
    "p = F/A;",
    "E = p*V;",
    "when x > r[1] then reinit(x, r[2]); end when;",
    "x = max(r[1], r[2]);",
    "x = noEvent(abs(r[1]));",
    "x = sum(r);",
    "E = r*{F, F};",
    "x = y/1000;",
    "u = x; F = k*u;",
]

BAD = [
    ("x = v;", "'x' [m] = 'v' [m/s]"),
    ("F = m*v;", "[N]"),
    ("E = x + v;", "'x' [m] + 'v' [m/s]"),
    ("der(x) = a;", "[m/s2]"),
    ("y = x;", "factor of 1000"),
    ("P = F*v;", "factor of 1000"),
    ("z = sin(x);", "argument 'x' of sin"),
    ("x = A;", "[m2]"),
    ("x = sqrt(x);", "[m^(6/12)]"),
    ("u = x; u = v;", "[m/s]"),
    ("when x > v then reinit(x, 0); end when;", "'x' [m] > 'v' [m/s]"),
    ("when x > 1 then reinit(x, v); end when;", "[m/s]"),
    ("x = if z > 0 then v else a;", "and"),
    ("r[1] = v;", "[m/s]"),
    ("w = n;", "factor of"),
    ("if z > 0 then x = v; else x = 1; end if;", "[m/s]"),
    ("E = 0.5*m*v;", "[J]"),
]


def messages(equation):
    declared = DECLARED.replace(', s(unit = "m/s(1/2)")', "")
    write("m.mo", declared % equation.replace(";", ";\n  ", equation.count(";") - 1))
    _, _, err = call("check", "m.mo", "--units", "--diagnostics=json")
    return [d for d in json.loads(err) if d["code"] in ("F040", "F041")]


def test_units_that_agree():
    for equation in GOOD:
        found = messages(equation)
        check(equation, not found, found)


def test_units_that_differ():
    for equation, words in BAD:
        found = messages(equation)
        text = json.dumps(found, ensure_ascii=False)
        check(
            equation,
            len(found) == 1 and words in text and found[0]["line"] >= 7 and "chapter 19" in text,
            "expected %s, found %s" % (words, text),
        )


def test_texts_of_units():
    for unit, bad in (
        ("m//s", 1),
        ("kg.", 1),
        ("m/s2", 0),
        ("J/(kg.K)", 0),
        ("(m", 1),
        ("1/s", 0),
        ("furlong", 0),
        ("m2.5", 1),
        ("m-1", 0),
        ("", 0),
    ):
        rc, _, err = call(
            "check", write("m.mo", 'model M Real x(unit = "%s") = 1; end M;' % unit), "--units"
        )
        check("unit '%s'" % unit, rc == 0 and ("F041" in err) == bool(bad), err)


def test_runs_and_analyses():
    path = write(
        "m.mo",
        """model M
  parameter Real k(unit = "1/s") = 1;
  Real x(unit = "m", start = 1, fixed = true), y(unit = "kg") = x;
equation
  der(x) = -k*x;
end M;
""",
    )
    for words in (
        ["simulate", path],
        ["linearize", path],
        ["steady", path],
        ["sensitivities", path, "--of", "y", "--to", "k"],
    ):
        rc, _, err = call(*words, "-o", "m.json" if words[0] != "simulate" else "m.csv", "--units")
        check(words[0], rc == 0 and "F040" in err, err)


program.run_tests()
