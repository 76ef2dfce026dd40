"""FMUs that are connected: in models (kairos fmu import) and in systems (SSP). Algebraic loops
between FMUs, systems in systems, parameter sets and mappings, units, transformations."""
import math, os, sys, zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import client, program
from program import call, check, write

BLOCKS = {
    "Gain": "input Real u(start = 0); output Real y; parameter Real k = 1; equation y = k*u;",
    "Lag": "input Real u(start = 0); output Real x(start = 0, fixed = true); "
    "equation der(x) = u - x;",
    "Left": "input Real z(start = 0.1); output Real y; equation y = 2*(1 + sin(time) - z);",
    "Right": "input Real y(start = 0); output Real z; equation z = 0.5*y + 0.1*y^3;",
    "Far": "output Real s(unit = \"km\") = time; output Boolean late(start = false, fixed = true); "
    "output Integer n(start = 0, fixed = true); equation when time > 0.5 then late = true; n = 3; "
    "end when;",
    "Near": "input Real d(unit = \"m\"); input Boolean on; input Integer n; "
    "parameter Real l(unit = \"m\") = 1; output Real y = d + l; output Boolean off = on; "
    "output Integer m = n;",
}


def blocks(*names):
    """FMUs of both kinds, in turn of FMI 2 and 3."""
    for k, name in enumerate(names):
        write(name + ".mo", "block %s %s end %s;" % (name, BLOCKS[name], name))
        version = str(2 + k % 2)
        rc, out, err = call("fmu", name + ".mo", "--kind", "both", "--fmi", version)
        check(name + ".fmu", rc == 0, err)


def last(name, path="r.csv"):
    result = client.Result(path)
    return result.rows[-1][result.column[name]]


def pack(path, structure, *names, **files):
    with zipfile.ZipFile(path, "w") as z:
        z.writestr("SystemStructure.ssd", structure)
        for name in names:
            z.write(name + ".fmu", "resources/%s.fmu" % name)
        for name, text in files.items():
            z.writestr("resources/" + name.replace("_", "."), text)
    return path


# y = 2 (1 + sin t - z), z = y/2 + y^3/10: the equation of y at each instant
def residual(y, t):
    return y - 2 * (1 + math.sin(t) - 0.5 * y - 0.1 * y ** 3)


def check_loop(what, a, b, c, close):
    """The loop holds at each row, and c.x follows it: x(2) by Simpson's rule of the exact y."""
    result = client.Result("r.csv")
    worst = max(abs(residual(r[result.column[a + ".y"]], r[0])) for r in result.rows)
    check(what + ": the loop", worst < 1e-6, worst)

    def y(t):
        low, high = -3.0, 3.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if residual(middle, t) < 0 else (low, middle)
        return low

    n, h = 200, 0.01
    weights = [1 if k in (0, n) else 4 if k % 2 else 2 for k in range(n + 1)]
    x = h / 3 * sum(w * y(k * h) * math.exp(k * h - 2) for k, w in enumerate(weights))
    check(what + ": x", abs(last(c + ".x") - x) < close, (last(c + ".x"), x))


def test_loop_in_model():
    blocks("Left", "Right", "Lag")
    write("Loop.mo", "model Loop Left a; Right b; Lag c; equation a.z = b.z; b.y = a.y; c.u = a.y; "
          "annotation(experiment(StopTime = 2)); end Loop;")
    for kind, close in (("me", 1e-5), ("cs", 0.02)):
        for name in ("Left", "Right", "Lag"):
            call("fmu", "import", name + ".fmu", "--kind", kind, "-o", "W%s.mo" % name)
        files = ["WLeft.mo", "WRight.mo", "WLag.mo", "Loop.mo", "--model", "Loop"]
        rc, out, err = call("simulate", *files, "-o", "r.csv", "--intervals", "100")
        check(kind + " runs", rc == 0, err)
        check_loop(kind, "a", "b", "c", close)


LOOP = """<SystemStructureDescription version="1.0" name="s"><System name="Loop"><Elements>
<Component name="a" source="resources/Left.fmu" implementation="KIND"/>
<Component name="b" source="resources/Right.fmu" implementation="KIND"/>
<Component name="c" source="resources/Lag.fmu" implementation="KIND"/></Elements>
<Connections>
<Connection startElement="b" startConnector="z" endElement="a" endConnector="z"/>
<Connection startElement="a" startConnector="y" endElement="b" endConnector="y"/>
<Connection startElement="a" startConnector="y" endElement="c" endConnector="u"/>
</Connections></System><DefaultExperiment startTime="0" stopTime="2"/>
</SystemStructureDescription>"""


def test_loop_in_system():
    blocks("Left", "Right", "Lag")
    for kind, close in (("ModelExchange", 1e-5), ("CoSimulation", 0.02)):
        pack("s.ssp", LOOP.replace("KIND", kind), "Left", "Right", "Lag")
        rc, out, err = call("simulate", "s.ssp", "-o", "r.csv", "--intervals", "100")
        check(kind + " runs", rc == 0, err)
        check_loop(kind, "a", "b", "c", close)


UNITS = """<SystemStructureDescription version="1.0" name="s">
<System name="Outer">
<Connectors><Connector name="y" kind="output"><Real/></Connector></Connectors>
<ParameterBindings><ParameterBinding source="resources/p.ssv">
  <ParameterMapping source="resources/m.ssm"/></ParameterBinding></ParameterBindings>
<Elements>
<Component name="far" source="resources/Far.fmu"/>
<System name="inner">
  <Connectors>
    <Connector name="d" kind="input"><Real unit="mm"/></Connector>
    <Connector name="on" kind="input"><Boolean/></Connector>
    <Connector name="n" kind="input"><Integer/></Connector>
    <Connector name="y" kind="output"><Real/></Connector>
  </Connectors>
  <Elements><Component name="near" source="resources/Near.fmu"/></Elements>
  <Connections>
    <Connection startConnector="d" endElement="near" endConnector="d"/>
    <Connection startConnector="on" endElement="near" endConnector="on">
      <BooleanMappingTransformation><MapEntry source="true" target="false"/>
        <MapEntry source="false" target="true"/></BooleanMappingTransformation></Connection>
    <Connection startConnector="n" endElement="near" endConnector="n">
      <IntegerMappingTransformation><MapEntry source="3" target="-7"/>
        </IntegerMappingTransformation></Connection>
    <Connection startElement="near" startConnector="y" endConnector="y"/>
  </Connections>
</System>
</Elements>
<Connections>
  <Connection startElement="far" startConnector="s" endElement="inner" endConnector="d"/>
  <Connection startElement="far" startConnector="late" endElement="inner" endConnector="on"/>
  <Connection startElement="far" startConnector="n" endElement="inner" endConnector="n"/>
  <Connection startElement="inner" startConnector="y" endConnector="y"/>
</Connections></System>
<Units><Unit name="mm"><BaseUnit m="1" factor="0.001"/></Unit></Units>
<DefaultExperiment startTime="0" stopTime="1"/>
</SystemStructureDescription>"""
LENGTH = """<ParameterSet version="1.0" name="p"><Parameters>
<Parameter name="length"><Real value="2" unit="km"/></Parameter></Parameters>
<Units><Unit name="km"><BaseUnit m="1" factor="1000"/></Unit></Units></ParameterSet>"""
MAPPING = """<ParameterMapping version="1.0">
<MappingEntry source="length" target="inner.near.l"/></ParameterMapping>"""


def test_units():
    """d passes km, mm and m: y = 1000 t + 2000. Booleans and Integers are mapped."""
    blocks("Far", "Near")
    pack("s.ssp", UNITS, "Far", "Near", p_ssv=LENGTH, m_ssm=MAPPING)
    rc, out, err = call("simulate", "s.ssp", "-o", "r.csv")
    check("it runs", rc == 0, err)
    for name, value in (("y", 3000), ("inner.near.d", 1000), ("inner.near.off", 0),
                        ("inner.near.m", -7)):
        check(name, abs(last(name) - value) < 1e-6, last(name))
    linear = MAPPING.replace('.l"/>', '.l"><LinearTransformation factor="10" offset="1"/>'
                             "</MappingEntry>")
    pack("s.ssp", UNITS, "Far", "Near", p_ssv=LENGTH, m_ssm=linear)
    rc, out, err = call("simulate", "s.ssp", "-o", "r.csv")
    check("a transformation replaces the units", abs(last("y") - 1021) < 1e-6, err)
    pack("s.ssp", UNITS.replace('m="1"', 's="1"'), "Far", "Near", p_ssv=LENGTH, m_ssm=MAPPING)
    rc, out, err = call("simulate", "s.ssp")
    check("other quantities", rc == 1 and "'km' and 'mm' cannot be converted" in err, err)


SYSTEM = """<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription xmlns:ssd="d" xmlns:ssc="c" xmlns:ssv="v" version="1.0" name="s">
 <ssd:System name="Loop">
  <ssd:ParameterBindings><ssd:ParameterBinding source="resources/p.ssv"/></ssd:ParameterBindings>
  <ssd:Elements>
   <ssd:Component name="gain" source="resources/Gain.fmu" implementation="KIND"/>
   <ssd:Component name="lag" source="resources/Lag.fmu" implementation="KIND">
    <ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues>
     <ssv:ParameterSet version="1.0" name="p"><ssv:Parameters>
      <ssv:Parameter name="x"><ssv:Real value="3"/></ssv:Parameter>
     </ssv:Parameters></ssv:ParameterSet>
    </ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings>
   </ssd:Component>
  </ssd:Elements>
  <ssd:Connections>
   <ssd:Connection startElement="lag" startConnector="x" endElement="gain" endConnector="u"/>
   <ssd:Connection startElement="gain" startConnector="y" endElement="lag" endConnector="u">
    <ssc:LinearTransformation factor="-1" offset="0.5"/></ssd:Connection>
  </ssd:Connections>
 </ssd:System>
 <ssd:DefaultExperiment startTime="0" stopTime="1"/>
</ssd:SystemStructureDescription>
"""
VALUES = """<ParameterSet version="1.0" name="p"><Parameters>
<Parameter name="gain.k"><Real value="2"/></Parameter></Parameters></ParameterSet>
"""


CONNECTORS = """<ssd:Connectors><ssd:Connector name="u" kind="input"><ssc:Real/></ssd:Connector>
</ssd:Connectors>"""
GAIN_CONNECTION = '<ssd:Connection startElement="lag" startConnector="x" endElement="gain" '
GAIN_CONNECTION += 'endConnector="u"/>'
# text that is replaced, its replacement, the message
WRONG_SYSTEMS = [
    ('startConnector="x"', 'startConnector="z"', "there is no connector 'lag.z'"),
    ('startElement="lag"', 'startElement="log"', "there is no connector 'log.x'"),
    ('startConnector="x"', 'startConnector="u"', "cannot start at 'lag.u'"),
    ('endConnector="u"/>', 'endConnector="y"/>', "cannot end at 'gain.y'"),
    ('endConnector="u"/>', 'endConnector="k"/>', "cannot end at 'gain.k'"),
    ('endElement="gain" endConnector="u"', 'endConnector="u"', "there is no connector 'u'"),
    (GAIN_CONNECTION, GAIN_CONNECTION * 2, "'gain.u' has a connection already, at line 16"),
    ("resources/Gain.fmu", "resources/Other.fmu", "no file 'resources/Other.fmu'"),
    ("resources/Gain.fmu", "../Gain.fmu", "'../Gain.fmu' is not a file of the archive"),
    ("resources/p.ssv", "resources/q.ssv", "no file 'resources/q.ssv'"),
    ("ssd:Component name=\"gain\"", "ssd:SignalDictionary name=\"gain\"", "not supported"),
    ('<ssv:Real value="3"/>', '<ssv:Real value="three"/>', "'x' has no value"),
]
# the connectors of a component, the message
WRONG_CONNECTORS = [
    (CONNECTORS, None),
    (CONNECTORS.replace("input", "output"), "'u' is an input of the FMU"),
    (CONNECTORS.replace('"u"', '"y"'), "'y' is not an input of the FMU"),
    (CONNECTORS.replace('"u"', '"v"'), "the FMU has no variable 'v'"),
    (CONNECTORS.replace("Real", "Boolean"), "'u' is Boolean here and Real in the FMU"),
]


def test_wrong_systems():
    """Each mistake is reported with its line in the structure."""
    blocks("Gain", "Lag")

    def refused(text, message):
        write_system(text, "ModelExchange")
        rc, out, err = call("simulate", "s.ssp", "-o", "r.csv")
        check(message, rc == 1 and "s.ssp/SystemStructure.ssd:" in err and message in err, err)

    for old, new, message in WRONG_SYSTEMS:
        check("the text has " + old, old in SYSTEM)
        refused(SYSTEM.replace(old, new, 1), message)
    gain = 'source="resources/Gain.fmu" implementation="KIND"'
    for connectors, message in WRONG_CONNECTORS:
        text = SYSTEM.replace(gain + "/>", gain + ">" + connectors + "</ssd:Component>")
        if message:
            refused(text, message)
        else:
            write_system(text, "ModelExchange")
            rc, out, err = call("simulate", "s.ssp", "-o", "r.csv")
            check("right connectors", rc == 0, err)


def write_system(text, kind):
    return pack("s.ssp", text.replace("KIND", kind), "Gain", "Lag", p_ssv=VALUES)


def test_system():
    """A loop of two FMUs: x' = 0.5 - 2 x - x from 3."""
    blocks("Gain", "Lag")
    exact = (3 - 1 / 6) * 2.718281828459045 ** -3 + 1 / 6
    for kind, close in (("ModelExchange", 1e-7), ("CoSimulation", 5e-3)):
        system = write_system(SYSTEM, kind)
        rc, out, err = call("simulate", system, "-o", "r.csv", "--tolerance", "1e-9")
        check(kind + " runs", rc == 0, err)
        x = last("lag.x")
        check(kind, abs(x - exact) < close, (x, exact))


program.run_tests()
