"""Ctrl-C ends what the library does, at any instant, and the model stays usable."""
import os
import signal
import subprocess
import sys

import pytest

BEGIN = """
import kairos, os, random, signal, sys, threading, time
DECAY = "model M Real x(start=1,fixed=true); equation der(x)=-x; end M;"
m = kairos.Model.from_text(DECAY)
EULER = dict(solver="euler", options={"step": 1e-3})
def run(stop): return m.simulate(stop=stop, intervals=1, **EULER)
def many(stop): return m.simulate_many({"x.start": [1, 2, 3]}, stop=stop, intervals=1, **EULER)
def analysis(stop): return m.sensitivities(["x"], ["x.start"], stop=stop, **EULER)
def instance(stop):
    with m.instance(**EULER) as x:
        x.initialize().advance(stop)
"""

ONE = """
try:
    print("ready", flush=True)
    CALL(1e9)
except KeyboardInterrupt:
    print("interrupted", flush=True)
print(m.simulate(stop=1).ok, flush=True)
"""

# In each round, one signal arrives at a random instant: before the call, in it, or in its end.
MANY = """
generator = random.Random(1)
until = time.monotonic() + 2
caught = sent = 0
while time.monotonic() < until:
    pause = generator.random()**3*0.01
    def send():
        time.sleep(pause)
        os.kill(os.getpid(), signal.SIGINT)
    sent += 1
    try:
        thread = threading.Thread(target=send)
        thread.start()
        CALL(1e9)
    except KeyboardInterrupt:
        caught += 1
    thread.join()
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
assert m.simulate(stop=1).ok
print(caught == sent or (caught, sent), flush=True)
"""

HANDLERS = """
class Enough(Exception): pass
heard = []
def note(number, frame):
    heard.append(number)
def refuse(number, frame):
    raise Enough
def send_soon():
    threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
def go(handler, stop):
    signal.signal(signal.SIGINT, handler)
    send_soon()
    CALL(stop)
# a handler that raises another exception
try:
    go(refuse, 1e9)
except Enough:
    print("enough", flush=True)
assert signal.getsignal(signal.SIGINT) is refuse
# a handler that raises nothing does not end the run
while not heard:
    go(note, 200)
# an ignored signal stays ignored
go(signal.SIG_IGN, 200)
time.sleep(0.1)
assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
print(m.simulate(stop=1).ok, flush=True)
"""

CALLS = ["run", "many", "analysis", "instance"]


def start(text, call):
    heed = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # jobs in the background ignore it
    return subprocess.Popen([sys.executable, "-c", BEGIN + text.replace("CALL", call)],
                            preexec_fn=heed, stdout=subprocess.PIPE, text=True,
                            env=dict(os.environ))


def finish(p):
    try:
        return p.communicate(timeout=120)[0]
    finally:
        p.kill()


@pytest.mark.parametrize("call", CALLS)
def test_control_c(call):
    p = start(ONE, call)
    assert p.stdout.readline() == "ready\n"
    p.send_signal(signal.SIGINT)
    assert finish(p) == "interrupted\nTrue\n"


@pytest.mark.parametrize("call", CALLS)
def test_no_interruption_is_lost(call):
    assert finish(start(MANY, call)) == "True\n"


@pytest.mark.parametrize("call", CALLS)
def test_handlers_of_others(call):
    assert finish(start(HANDLERS, call)) == "enough\nTrue\n"


def test_compilations_are_interrupted():
    text = """
size = "; ".join(f"Real x{i}(start=1,fixed=true)" for i in range(20000))
flow = "; ".join(f"der(x{i}) = sin(x{i})*x{(i + 1) % 20000}" for i in range(20000))
try:
    print("ready", flush=True)
    while True:
        kairos.Model.from_text(f"model Big {size}; equation {flow}; end Big;")
except KeyboardInterrupt:
    print("interrupted", flush=True)
print(m.simulate(stop=1).ok, flush=True)
"""
    p = start(text, "")
    assert p.stdout.readline() == "ready\n"
    p.send_signal(signal.SIGINT)
    assert finish(p) == "interrupted\nTrue\n"
