"""`kairos check --all`, and `kairos check` where there is no model: classes.py KAIROS. Runs in an empty folder; says what is wrong and exits with 1."""
import json, subprocess, sys

KAIROS = sys.argv[1]

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
    p = subprocess.run([KAIROS, *arguments, "--diagnostics=json"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    text = p.stderr.decode()
    return p.returncode, json.loads(text[text.index("["):])


def write(name, text):
    with open(name, "w") as f:
        f.write(text)


def main():
    failures = []

    def expect(what, condition):
        if not condition:
            failures.append(what)

    write("P.mo", LIBRARY)
    status, told = run("check", "--all", "P.mo")
    expect("every class is checked: %s" % told, status == 1 and {d["line"]: d["code"] for d in told} == LINES)
    status, told = run("check", "--model", "P.f", "P.mo")
    expect("a function is checked: %s" % told, status == 1 and [d["line"] for d in told] == [7])
    status, told = run("simulate", "--model", "P.f", "P.mo")
    expect("a function cannot be simulated: %s" % told, status == 1 and told[0]["code"] == "I017")
    write("U.mo", UNBALANCED)
    status, told = run("check", "--all", "U.mo")
    expect("each model is counted: %s" % told, status == 1 and [(d["code"], d["line"]) for d in told] == [("F001", 2), ("F001", 3)])
    write("F.mo", "package F constant Real c = 1; function f input Real x; output Real y = c*x; end f; end F;")
    status, told = run("check", "F.mo")
    expect("a package without models is checked: %s" % told, status == 0 and not told)
    status, told = run("simulate", "F.mo")
    expect("it cannot be simulated: %s" % told, status == 1 and told[0]["code"] == "I017")
    for f in failures:
        print(f)
    return 1 if failures else 0


sys.exit(main())
