"""The size of generated C, by the number of unknowns."""
import os, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import call, check, write

FIELDS = 60
# each device has parameters, and a state that is computed by a function of 60 fields
DEVICES = """package Devices
  record Data
%s
  end Data;
  function derived
    input Data d; input Real scale; output Data out;
  algorithm
%s
  end derived;
  function current
    input Data d; input Real v; output Real i = 0; output Real q = 0;
  algorithm
%s
  end current;
  model Device
    parameter Real scale = 1;
    parameter Data given;
    final parameter Data data = derived(given, scale);
    Real v(start = 1, fixed = true), i, q;
  equation
    (i, q) = current(data, v);
    der(v) = -i - 0.1*q;
  end Device;
  model Many
    parameter Integer n = 20;
    Device device[n](scale = {1 + k/n for k in 1:n});
  end Many;
end Devices;
""" % (
    "\n".join("    Real p%d = %d;" % (k, k + 1) for k in range(FIELDS)),
    "\n".join("    out.p%d := scale*d.p%d + sin(d.p0);" % (k, k) for k in range(FIELDS)),
    "\n".join("    i := i + tanh(v/d.p%d)/60; q := q + i*d.p0;" % k for k in range(FIELDS)),
)


def test_size():
    """Results of one call share it, and Jacobians call derivatives of functions."""
    write("Devices.mo", DEVICES)
    sizes = {}
    for n in (20, 40):
        options = ("--model", "Devices.Many", "--set", "n=%d" % n, "--emit-c", "m.c")
        rc, _, err = call("simulate", "Devices.mo", *options, "-o", "r.csv", "--stop-time", "1")
        check("it runs", rc == 0, err)
        with open("m.c") as f:
            lines = [line for line in f if not line.lstrip().startswith("/*")]
        sizes[n] = sum(map(len, lines))
    unknowns = 20 * (FIELDS + 3)
    check("at most 2 kB for each unknown", sizes[20] <= 2000 * unknowns, sizes)
    check("like devices share their text", sizes[40] - sizes[20] <= 200 * unknowns, sizes)


program.run_tests()
