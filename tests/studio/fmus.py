"""FMUs in the studio: `kairos studio FILE.fmu` opens a class for it. Its binary runs in a process
of its own: a crash ends the run, and the studio goes on."""
import os, platform, subprocess, sys, zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from client import Studio
import program
from program import TOP, call, example

PLATFORM = "linux64" if platform.machine() == "x86_64" else "linux-aarch64"
CRASHING = """<fmiModelDescription fmiVersion="2.0" modelName="Crash" guid="{2}">
<CoSimulation modelIdentifier="Crash" canHandleVariableCommunicationStepSize="true"/>
<ModelVariables><ScalarVariable name="x" valueReference="1" causality="output" initial="exact">
<Real start="1"/></ScalarVariable></ModelVariables>
<ModelStructure><Outputs><Unknown index="1"/></Outputs></ModelStructure></fmiModelDescription>
"""


def crashing_fmu(path):
    source = os.path.join(TOP, "tests/fmi/foreign/faulty.c")
    command = ["cc", "-shared", "-fPIC", "-w", "-DCRASH", "-o", "b.so", source, "-lm"]
    subprocess.run(command, check=True, timeout=60)
    with zipfile.ZipFile(path, "w") as z:
        z.writestr("modelDescription.xml", CRASHING)
        z.write("b.so", "binaries/%s/Crash.so" % PLATFORM)


def test_fmu():
    os.mkdir("ws")
    call("fmu", example("BouncingBall.mo"), "--kind", "me", "-o", "ws/Ball.fmu")
    crashing_fmu("ws/Crash.fmu")
    studio = Studio("ws", "ws/Ball.fmu", "ws/Crash.fmu")
    state = studio.get("/api/state")
    assert state["open"] == ["Ball.mo", "Crash.mo"], state
    with open("ws/Ball.mo") as f:
        ball = f.read()
    with open("ws/Crash.mo") as f:
        crash = f.read()
    m = studio.compile(ball, "Ball.mo")
    r = studio.run(m, settings={"h_start": 2}, watch=["h"])
    assert r["status"] == "done" and r["columns"][1][0] == 2, r
    log = studio.get("/api/eventlog", run=r["run"])
    first = [e["time"] for e in log["events"] if e["time"] > 0][0]
    assert abs(first - (2 * 2 / 9.81) ** 0.5) < 1e-6, first
    c = studio.run(studio.compile(crash, "Crash.mo"))
    assert c["status"] == "crashed", c
    assert studio.run(m)["status"] == "done"
    assert studio.stop() == 0


def test_changed_class_stays():
    """A class that exists is opened as it is."""
    os.mkdir("ws")
    call("fmu", example("BouncingBall.mo"), "--kind", "me", "-o", "ws/Ball.fmu")
    program.write("ws/Ball.mo", "model Ball end Ball;\n")
    assert Studio("ws", "ws/Ball.fmu").stop() == 0
    with open("ws/Ball.mo") as f:
        assert f.read() == "model Ball end Ball;\n"
    rc, out, err = call("studio", "--no-open", "missing.fmu")
    assert rc != 0 and "missing.fmu" in err, (rc, err)


program.run_tests()
