"""`kairos check --all`, and `kairos check` if there is no model."""
import json, os, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import call, check, write

LIBRARY = """package P
  constant Real g = 9.81*y;
  function f
    input Real x;
    output Real y;
  algorithm
    y := 2*z;
  end f;
  partial model Part
    replaceable partial model Q end Q;
    Q q;
    outer Real w;
    parameter Integer n;
    Real x[n];
  equation
    x[1] = q1;
  end Part;
  model Left
    Real x;
  equation
    x = sin("a");
  end Left;
  record R
    Real a = b;
  end R;
  type T = Real(unt = "m");
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Resistor "has no value, and is connected to nothing"
    Pin p, n;
    parameter Real R;
  equation
    p.v - n.v = R*p.i;
    p.i + n.i = 0;
  end Resistor;
end P;
"""
LINES = {2: "I001", 7: "I001", 16: "I001", 21: "I103", 24: "I001", 26: "I005"}

UNBALANCED = """package P
  model A Real x; end A;
  model B Real x; equation x = time; x = 1; end B;
  function f input Real x; output Real y = x; end f;
  model C Real x = f(time); end C;
end P;
"""


def run(*arguments):
    rc, _, err = call(*arguments, "--diagnostics=json")
    return rc, json.loads(err[err.index("[") :])


def test_every_class():
    write("P.mo", LIBRARY)
    status, told = run("check", "--all", "P.mo")
    check(
        "every class is checked",
        status == 1 and {d["line"]: d["code"] for d in told} == LINES,
        told,
    )
    status, told = run("check", "--model", "P.f", "P.mo")
    check("a function is checked", status == 1 and [d["line"] for d in told] == [7], told)
    status, told = run("simulate", "--model", "P.f", "P.mo")
    check("a function cannot be simulated", status == 1 and told[0]["code"] == "I017", told)


def test_each_model_is_counted():
    write("U.mo", UNBALANCED)
    status, told = run("check", "--all", "U.mo")
    check(
        "each model is counted",
        status == 1 and [(d["code"], d["line"]) for d in told] == [("F001", 2), ("F001", 3)],
        told,
    )


def test_package_without_models():
    write(
        "F.mo",
        (
            "package F constant Real c = 1; function f input Real x; output Real y = c*x; end f;"
            " end F;"
        ),
    )
    status, told = run("check", "F.mo")
    check("a package without models is checked", status == 0 and not told, told)
    status, told = run("simulate", "F.mo")
    check("it cannot be simulated", status == 1 and told[0]["code"] == "I017", told)


program.run_tests()
