"""`kairos equations` prints systems with switches solved, and integrators written into equations.

The printed solutions are evaluated at random values and compared with the formulas of the papers:
the switch and the rectifier of 1993, the diode in series with an inlined coil."""
import os, random, re, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import call, check, example, write


def solved(text):
    """The lines of the first solved system: [(name, expression)]."""
    part = text.split("SOLVED SYSTEM OF EQUATIONS\n")[1].split("END OF SYSTEM")[0]
    return [
        re.match(r"\s*\[?([^\]=]+?)\]? = (.*)", line).groups()
        for line in part.splitlines()
        if line.strip() and not line.startswith("--")
    ]


def plain(text):
    """An expression of Modelica as one of Python, with names that Python allows."""
    text = re.sub(r"if (.+?) then (.+?) else (.+)", r"((\2) if (\1) else (\3))", text)
    text = text.replace("^", "**")
    for operator in ("der", "pre"):
        text = re.sub(operator + r"\(([\w.]+)\)", operator + r"_\1", text)
    return re.sub(r"([A-Za-z_]\w*)\.([A-Za-z_])", r"\1_\2", text)


def evaluate(lines, given):
    """Values of all names of a solved system, in the order of its lines."""
    known = dict(given)
    for name, expression in lines:
        known[plain(name)] = eval(plain(expression), {}, known)
    return known


def near(a, b):
    return abs(a - b) <= 1e-9 * (1 + abs(a) + abs(b))


def numbers(*names):
    return {name: random.uniform(0.5, 2) for name in names}


def test_switch_of_1993():
    rc, out, err = call("equations", example("dymola/SwitchCircuit.dym"))
    assert rc == 0, err
    for position in (0, 1):
        v = numbers("R1_R", "I0_Vb", "R2_Va", "I0_i")
        v["Sw_OpenSw"] = position
        x = evaluate(solved(out), v)
        q105 = position - 1
        q107 = v["R1_R"] * q105 + position
        i = -v["I0_i"]  # the paper's input i is the current into the node
        switch = (q105 * v["I0_Vb"] + v["R1_R"] * q105 * i - q105 * v["R2_Va"]) / q107
        u = position * (v["I0_Vb"] + v["R1_R"] * i - v["R2_Va"]) / q107
        check("Sw.i, OpenSw = %d" % position, near(x["Sw_i"], switch), (x, switch))
        check("Sw.u, OpenSw = %d" % position, near(x["Sw_u"], u), (x, u))


def test_diode_of_1993():
    rc, out, err = call("equations", example("dymola/Rectifier.dym"))
    assert rc == 0 and "Q1 = if Diode.OpenSwitch then 1 else 0" in out, err
    assert "Q2 = if Diode.OpenSwitch then 0 else 1" in out, out
    for position in (False, True):
        v = numbers("U0_Vb", "RL_Vb", "Ri_R")
        v["Diode_OpenSwitch"] = position
        x = evaluate(solved(out), v)
        q101, q102 = int(position), int(not position)
        q103 = v["Ri_R"] * q102 - q101
        drop = v["U0_Vb"] - v["RL_Vb"]
        check("Ri.u", near(x["Ri_u"], v["Ri_R"] * q102 * drop / q103), x)
        check("Diode.u", near(x["Diode_u"], -q101 * drop / q103), x)
        check("U0.i", near(x["U0_i"], q102 * drop / q103), x)


COIL = """model Coil
  parameter Real L = 0.01, C = 1e-3, R = 50;
  Real iD(start = 0, fixed = true), uC(start = 0, fixed = true), uD, u0, sw;
  Boolean open(start = false, fixed = true);
equation
  u0 = 10*sin(314.159*time);
  sw = if pre(open) then 1 else 0;
  0 = sw*iD + (1 - sw)*uD;
  L*der(iD) = u0 - uD - uC;
  C*der(uC) = iD - uC/R;
  open = uD < 0 and pre(open) or not pre(open) and iD < 0;
end Coil;
"""


def test_inlined_coil():
    """uD is zero with the diode closed, and else the voltage that ends the current in one step."""
    write("Coil.mo", COIL)
    rc, out, err = call("equations", "Coil.mo", "--inline", "iD")
    assert rc == 0 and "INLINED STATES" in out, err
    assert re.search(r"iD\]? = (\[?der\(iD\)\]?\*h \+ pre\(iD\)|pre\(iD\) \+ h)", out), out
    assert "STATES\n  uC\n" in out and "INITIAL SYSTEM" not in out, out
    for sw in (0, 1):
        v = numbers("L", "h", "pre_iD", "uC", "u0")
        v["sw"] = sw
        x = evaluate(solved(out), v)
        drive = v["L"] * v["pre_iD"] + v["h"] * (v["u0"] - v["uC"])
        voltage = sw * drive / (sw * v["h"] - (sw - 1) * v["L"])
        check("uD, sw = %d" % sw, near(x["uD"], voltage), (x, voltage))
        check("iD, sw = %d" % sw, near(x["iD"], 0 if sw else drive / v["L"]), x)
        check("solver equation", near(x["iD"], v["pre_iD"] + v["h"] * x["der_iD"]), x)


def test_plan_that_runs():
    """A switch in series with a coil changes the structure: the plan as written would divide by
    zero with the switch open."""
    write("Coil.mo", COIL)
    rc, out, err = call("equations", "Coil.mo")
    assert rc == 0 and "(switch)" in out, err
    assert "STRUCTURAL GUARDS" in out and "pre(open) = 1: iD fixes the causality" in out, out


def test_inline_takes_what_switches_ask_for():
    rc, out, err = call("equations", example("DiodeInductor.mo"), "--inline", "uC")
    assert rc == 0 and "iD\n  uC" in out.split("INLINED STATES")[1], out
    rc, out, err = call("equations", example("DiodeInductor.mo"), "--inline", "nothing")
    assert rc == 2 and "no state has this name" in err and "state: iD" in err, err
    rc, out, err = call("equations", example("Clutch.mo"), "--inline", "w1")
    assert rc == 0 and "w1\n  w2" in out.split("INLINED STATES")[1], out


def test_two_switches():
    """Two tearing variables: Cramer's rule."""
    write(
        "Two.mo",
        """model Two
  Real i1, i2, u1, u2, v;
  parameter Real R1 = 1, R2 = 2, R3 = 3;
  Boolean a = time < 1, b = time < 2;
equation
  0 = if a then i1 else u1;
  0 = if b then i2 else u2;
  v = R3*(i1 + i2);
  1 = R1*i1 + u1 + v;
  2 = R2*i2 + u2 + v;
end Two;
""",
    )
    rc, out, err = call("equations", "Two.mo")
    assert rc == 0, err
    for a in (False, True):
        for b in (False, True):
            v = dict(numbers("R1", "R2", "R3"), a=a, b=b)
            lines = [(n, re.sub(r"\(time < (\d).*?\)", r"t\1", e)) for n, e in solved(out)]
            x = evaluate(lines, dict(v, t1=a, t2=b))
            check("first", near(x["i1"] if a else x["u1"], 0), (a, b, x))
            check("second", near(x["i2"] if b else x["u2"], 0), (a, b, x))
            check("loop 1", near(v["R1"] * x["i1"] + x["u1"] + x["v"], 1), (a, b, x))
            check("loop 2", near(v["R2"] * x["i2"] + x["u2"] + x["v"], 2), (a, b, x))


program.run_tests()
