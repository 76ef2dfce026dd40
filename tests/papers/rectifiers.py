#!/usr/bin/env python3
"""rectifiers.py KAIROS

Rectifiers with the diode of the 1999 report (section 4.1), an automaton, with that of 1993, and
with the declarative one, and with relations alone, without and with a coil. While all diodes block,
the potential of the load is open: nothing else may depend on it. If a coil takes a current without
resistance in front of the bridge, the diodes commutate through a combination that shorts the
source. All are compared with an integrator of our own, which knows no diodes: the currents of these
circuits are functions of the voltages, or that of the coil has one of a few directions.
"""
import csv, math, os, subprocess, sys

sys.dont_write_bytecode = True
from client import solve

V, W, RS, R, C, L = 20.0, 314.159265358979, 1.0, 100.0, 1e-4, 2e-3

MODELS = """
package Rectifiers
  connector Pin Real v; flow Real i; end Pin;
  partial model OnePort
    Pin p, n; Real v, i;
  equation
    v = p.v - n.v; 0 = p.i + n.i; i = p.i;
  end OnePort;
  model Ground Pin p; equation p.v = 0; end Ground;
  model Resistor extends OnePort; parameter Real R = 1; equation v = R*i; end Resistor;
  model Capacitor
    extends OnePort(v(start = 0, fixed = true));
  equation
    1e-4*der(v) = i;
  end Capacitor;
  model Source extends OnePort; parameter Real phase = 0, square = 0;
    Real u = sin(314.159265358979*time + phase);
  equation
    v = if square > 1 then (if u > 0.4 then 20 else 0)
        elseif square > 0 then (if u > 0 then 20 else -20) else 20*u;
  end Source;
  model Automaton extends OnePort; Boolean off(start = true);
  equation
    0 = if pre(off) then i else v;
    off = pre(off) and v <= 0 or not pre(off) and i < 0;
  end Automaton;
  model Latch extends OnePort; Boolean off(start = true, fixed = true);
  equation
    0 = if off then i else v;
    off = pre(off) and v <= 0 or not pre(off) and i < 0;
  end Latch;
  model Of1993 extends OnePort; Boolean off, next(start = true);
  equation
    off = pre(next);
    0 = if off then i else v;
    next = v <= 0 and not i > 0;
  end Of1993;
  model WithoutMemory extends OnePort; Boolean off(start = true);
  equation
    0 = if off then i else v;
    off = v <= 0 and not i > 0;
  end WithoutMemory;
  model EitherNegative extends OnePort; Boolean off(start = true);
  equation
    0 = if off then i else v;
    off = v < 0 or i < 0;
  end EitherNegative;
  block Negative input Real x; output Boolean y; equation y = x < 0; end Negative;
  model InTwoBlocks extends OnePort; Negative a, b; Boolean off = a.y or b.y;
  equation
    a.x = v; b.x = i; 0 = if off then i else v;
  end InTwoBlocks;
  model OnIfPositive extends OnePort; Boolean on(start = false);
  equation
    0 = if on then v else i;
    on = v > 0 or i > 0;
  end OnIfPositive;
  model Declarative extends OnePort; Real s; Boolean off;
  equation
    off = s < 0; v = if off then s else 0; i = if off then 0 else s;
  end Declarative;

  model HalfWave
    replaceable model D = Declarative constrainedby OnePort;
    Source s; Ground g; D d; Resistor r(R = 100), rs; Capacitor c;
  equation
    connect(s.p, rs.p); connect(rs.n, d.p); connect(d.n, r.p); connect(c.p, r.p);
    connect(c.n, g.p); connect(r.n, g.p); connect(g.p, s.n);
  end HalfWave;
  model TwoSources
    replaceable model D = Declarative constrainedby OnePort;
    Source a, b(phase = 3.141592653589793); Ground g; D d1, d2;
    Resistor r(R = 100), ra, rb; Capacitor c;
  equation
    connect(a.n, g.p); connect(b.n, g.p); connect(a.p, ra.p); connect(ra.n, d1.p);
    connect(b.p, rb.p); connect(rb.n, d2.p); connect(d1.n, r.p); connect(d2.n, r.p);
    connect(c.p, r.p); connect(c.n, g.p); connect(r.n, g.p);
  end TwoSources;
  partial model Bridge
    replaceable model D = Declarative constrainedby OnePort;
    Source s; Ground g; D d1, d2, d3, d4; Resistor r(R = 100), rs; Capacitor c;
  equation
    connect(s.p, rs.p); connect(rs.n, d1.p); connect(d1.n, d3.n); connect(s.n, d3.p);
    connect(d2.n, rs.n); connect(d4.n, s.n); connect(d2.p, d4.p);
    connect(d1.n, r.p); connect(r.n, d2.p); connect(c.p, r.p); connect(c.n, r.n);
  end Bridge;
  model Coil extends OnePort(i(start = 0, fixed = true)); equation 2e-3*der(i) = v; end Coil;
  model HalfWaveCoil
    replaceable model D = Declarative constrainedby OnePort;
    Source s; Ground g; D d; Resistor r(R = 100), rs; Capacitor c; Coil l;
  equation
    connect(s.p, rs.p); connect(rs.n, l.p); connect(l.n, d.p); connect(d.n, r.p);
    connect(c.p, r.p); connect(c.n, g.p); connect(r.n, g.p); connect(g.p, s.n);
  end HalfWaveCoil;
  model BridgeCoil
    replaceable model D = Declarative constrainedby OnePort;
    Source s; Ground g; D d1, d2, d3, d4; Resistor r(R = 100), rs; Capacitor c; Coil l;
  equation
    connect(s.p, rs.p); connect(rs.n, l.p); connect(l.n, d1.p); connect(d1.n, d3.n);
    connect(s.n, d3.p); connect(d2.n, l.n); connect(d4.n, s.n); connect(d2.p, d4.p);
    connect(d1.n, r.p); connect(r.n, d2.p); connect(c.p, r.p); connect(c.n, r.n);
    connect(g.p, s.n);
  end BridgeCoil;
  model BridgeFilter
    replaceable model D = Declarative constrainedby OnePort;
    Source s; Ground g; D d1, d2, d3, d4; Resistor r(R = 100), rs; Capacitor c; Coil l;
  equation
    connect(s.p, rs.p); connect(rs.n, d1.p); connect(d1.n, d3.n);
    connect(s.n, d3.p); connect(d2.n, rs.n); connect(d4.n, s.n); connect(d2.p, d4.p);
    connect(d1.n, l.p); connect(l.n, r.p); connect(r.n, d2.p); connect(c.p, r.p);
    connect(c.n, r.n); connect(g.p, r.n);
  end BridgeFilter;
  model DirectBridge
    replaceable model D = Declarative constrainedby OnePort;
    Source s; Ground g; D d1, d2, d3, d4; Resistor r(R = 100); Coil l;
  equation
    connect(s.p, d1.p); connect(d1.n, d3.n); connect(s.n, d3.p);
    connect(d2.n, s.p); connect(d4.n, s.n); connect(d2.p, d4.p);
    connect(d1.n, l.p); connect(l.n, r.p); connect(r.n, d2.p); connect(g.p, s.n);
  end DirectBridge;
  model Freewheel
    replaceable model D = Declarative constrainedby OnePort;
    Source s; Ground g; D d1, d2; Resistor r(R = 1); Coil l;
  equation
    connect(s.p, d1.p); connect(d1.n, d2.n); connect(d2.p, g.p); connect(s.n, g.p);
    connect(d1.n, l.p); connect(l.n, r.p); connect(r.n, g.p);
  end Freewheel;
  model SixPulse
    replaceable model D = Declarative constrainedby OnePort;
    Source a(phase = 0.3), b(phase = 2.3943951023931953), c(phase = -1.7943951023931953);
    Ground g; D d1, d2, d3, d4, d5, d6; Resistor r(R = 1); Coil l;
  equation
    connect(a.n, g.p); connect(b.n, g.p); connect(c.n, g.p); connect(a.p, d1.p);
    connect(b.p, d2.p); connect(c.p, d3.p); connect(d1.n, d2.n); connect(d2.n, d3.n);
    connect(d4.n, a.p); connect(d5.n, b.p); connect(d6.n, c.p); connect(d4.p, d5.p);
    connect(d5.p, d6.p); connect(d1.n, l.p); connect(l.n, r.p); connect(r.n, d4.p);
  end SixPulse;
  model BridgeAtSource extends Bridge; equation connect(g.p, s.n); end BridgeAtSource;
  model BridgeAtLoad extends Bridge; equation connect(g.p, r.n); end BridgeAtLoad;
end Rectifiers;
"""


def bridge(u, c):
    return max(0.0, (abs(u) - c) / RS)


def half_wave(u, c):
    return max(0.0, (u - c) / RS)


def runge_kutta(slope, stop, h):
    """x at the end, from 0."""
    x = 0.0
    for k in range(round(stop / h)):
        t = k * h
        k1 = slope(t, x)
        k2 = slope(t + h / 2, x + h / 2 * k1)
        k3 = slope(t + h / 2, x + h / 2 * k2)
        k4 = slope(t + h, x + h * k3)
        x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return x


def integrate(current, stop, h):
    """The voltage of the capacitor that this current charges and the load discharges."""
    return runge_kutta(lambda t, c: (current(V * math.sin(W * t), c) - c / R) / C, stop, h)


def sine(stop):
    """The source in pieces: time of the end, voltage over time."""
    return [(stop, lambda t: V * math.sin(W * t))]


def pulses(stop, phase):
    """20 while sin(W*t + phase) > 0.4, otherwise 0."""
    a, found = math.asin(0.4), [stop]
    for k in range(round(stop * W)):
        found += [(b + 2 * math.pi * k - phase) / W for b in (a, math.pi - a)]
    ends = sorted(t for t in found if 0 < t <= stop)
    middles = [(a + b) / 2 for a, b in zip([0.0] + ends, ends)]
    high = [math.sin(W * t + phase) > 0.4 for t in middles]
    return [(t, lambda _, up=up: V if up else 0.0) for t, up in zip(ends, high)]


def stopped(t, x):
    return [0.0, x[1]]


def in_pieces(modes_of, mode, source):
    """Current of the coil and voltage of the capacitor at the end, both from 0."""
    x, begin = [0.0, 0.0], 0.0
    for end, u in source:
        modes = modes_of(lambda t, u=u, begin=begin: u(begin + t))
        x, mode, _ = solve(modes, mode, x, end - begin, 2e-6)
        begin = end
    return x


def with_coil(source, sides):
    """The voltage of the capacitor behind a coil on the source's side, whose current flows in these
    directions."""

    def modes_of(u):
        def slopes(side):
            def f(t, x):
                i, c = x
                charge = (side * i - c / R) / C
                return [(u(t) - RS * i - side * c) / L if side else 0.0, charge]

            return f

        modes = {0: (slopes(0), [(lambda t, x, s=s: s * u(t) - x[1], s, None) for s in sides])}
        for s in sides:
            modes[s] = (slopes(s), [(lambda t, x, s=s: -s * x[0], 0, stopped)])
        return modes

    return in_pieces(modes_of, 0, source)[1]


def with_filter(source):
    """The same with the coil behind the bridge. While it overlaps, all diodes conduct: the current
    of the source follows from its resistance, and cannot exceed that of the coil."""

    def modes_of(u):
        def f(t, x):
            i, c = x
            return [(max(0.0, abs(u(t)) - RS * i) - c) / L, (i - c / R) / C]

        def rest(t, x):
            return [0.0, -x[1] / R / C]

        return {
            "on": (f, [(lambda t, x: -x[0], "off", stopped)]),
            "off": (rest, [(lambda t, x: abs(u(t)) - x[1], "on", None)]),
        }

    return in_pieces(modes_of, "off", source)[1]


def behind_diodes(voltage, resistance, stop, h=2e-6):
    """The current of a coil behind ideal diodes that deliver this voltage."""
    return runge_kutta(lambda t, i: (voltage(t) - resistance * i) / L, stop, h)


def behind_rectangles(voltage, resistance, stop):
    """The same for a voltage that depends on the sign of sin(W*t + 0.3): pieces of exponentials."""
    t, i, k = 0.0, 0.0, 1
    while t < stop:
        end = min(stop, (k * math.pi - 0.3) / W)
        rest = voltage(k % 2 == 1) / resistance
        i, t, k = rest + (i - rest) * math.exp(-(end - t) * resistance / L), end, k + 1
    return i


def six_pulse(t):
    phases = [V * math.sin(W * t + 0.3 + k * 2.0943951023931953) for k in (-1, 0, 1)]
    return max(phases) - min(phases)


CASES = [
    ("HalfWave", lambda stop: integrate(half_wave, stop, 2e-6)),
    ("TwoSources", lambda stop: integrate(bridge, stop, 2e-6)),
    ("BridgeAtSource", lambda stop: integrate(bridge, stop, 2e-6)),
    ("BridgeAtLoad", lambda stop: integrate(bridge, stop, 2e-6)),
    ("HalfWaveCoil", lambda stop: with_coil(sine(stop), [1])),
    ("BridgeCoil", lambda stop: with_coil(sine(stop), [1, -1])),
    ("BridgeFilter", lambda stop: with_filter(sine(stop))),
]
DIRECT = [
    ("DirectBridge", lambda stop: behind_diodes(lambda t: V * abs(math.sin(W * t)), R, stop)),
    ("Freewheel", lambda stop: behind_diodes(lambda t: V * max(0.0, math.sin(W * t)), 1.0, stop)),
    ("SixPulse", lambda stop: behind_diodes(six_pulse, 1.0, stop)),
]
# a source of rectangles: diodes commutate while they conduct
SQUARE = [
    ("DirectBridge", lambda stop: behind_rectangles(lambda up: V, R, stop)),
    ("Freewheel", lambda stop: behind_rectangles(lambda up: V if up else 0.0, 1.0, stop)),
]
# pulses that begin high or low: switches with a memory turn on at a jump, from a current of zero
PULSES = [
    ("BridgeCoil", 1.2, lambda source: with_coil(source, [1, -1])),
    ("BridgeFilter", -0.7, with_filter),
]


def simulate(kairos, name, diode, stop, *options, variable="c.v"):
    """The variable at the end, or the text of the failure."""
    model = (
        "model Circuit\n  extends Rectifiers.%s(redeclare model D = Rectifiers.%s);\nend Circuit;"
    )
    with open("circuit.mo", "w") as f:
        f.write(MODELS + model % (name, diode) + "\n")
    call = [kairos, "simulate", "circuit.mo", "--model", "Circuit", "--stop-time", repr(stop)]
    p = subprocess.run(
        call + ["--output", "r.csv", "--quiet", *options],
        stderr=subprocess.PIPE,
        universal_newlines=True,
        timeout=60,
    )
    if p.returncode or "warning" in p.stderr:
        return p.stderr.strip().splitlines()[0] if p.stderr.strip() else "exit %d" % p.returncode
    with open("r.csv") as f:
        rows = list(csv.reader(f))
    return float(rows[-1][rows[0].index(variable)])


def main():
    kairos, failed, runs = os.path.abspath(sys.argv[1]), 0, 0
    for name, reference in CASES:
        right = reference(0.1)
        for diode in ("Automaton", "Declarative"):
            for tolerance in ("1e-5", "1e-6", "1e-8"):
                runs += 1
                got = simulate(kairos, name, diode, 0.1, "--tolerance", tolerance)
                if isinstance(got, str) or abs(got - right) > 20 * max(30 * float(tolerance), 1e-6):
                    failed += 1
                    print("%s, %s, %s: %s, right %.7f" % (name, diode, tolerance, got, right))
    for name, reference in DIRECT:
        right = reference(0.097)
        for diode in ("Automaton", "Latch", "Of1993", "Declarative"):
            for structure in ("auto", "modes", "inline", "single"):
                runs += 1
                got = simulate(
                    kairos, name, diode, 0.097, "--structure", structure, variable="l.i"
                )
                if isinstance(got, str) or abs(got - right) > 2e-5 * (1 + abs(right)):
                    failed += 1
                    print("%s, %s, %s: %s, right %.7f" % (name, diode, structure, got, right))
    for name, reference in SQUARE:
        right = reference(0.097)
        for diode in ("Automaton", "Of1993", "Declarative"):
            for structure in ("auto", "modes", "mixed"):
                runs += 1
                options = ["--structure", structure, "--set", "s.square=1", "--set", "s.phase=0.3"]
                got = simulate(kairos, name, diode, 0.097, *options, variable="l.i")
                if isinstance(got, str) or abs(got - right) > 2e-5 * (1 + abs(right)):
                    failed += 1
                    print("%s, %s, %s: %s, right %.7f" % (name, diode, structure, got, right))
    for name, phase, reference in PULSES:
        right = reference(pulses(0.05, phase))
        for diode in ("Automaton", "Of1993", "WithoutMemory"):
            for structure in ("auto", "inline", "single"):
                runs += 1
                options = ["--structure", structure, "--set", "s.square=2"]
                options += ["--set", "s.phase=%r" % phase]
                got = simulate(kairos, name, diode, 0.05, *options)
                if isinstance(got, str) or abs(got - right) > 2e-5 * (1 + abs(right)):
                    failed += 1
                    print("%s, %s, %s: %s, right %.7f" % (name, diode, structure, got, right))
    right = integrate(half_wave, 0.1, 2e-6)
    for diode in ("WithoutMemory", "EitherNegative"):
        for structure in ("auto", "modes", "inline", "single"):
            runs += 1
            got = simulate(kairos, "HalfWave", diode, 0.1, "--structure", structure)
            if isinstance(got, str) or abs(got - right) > 2e-5 * (1 + abs(right)):
                failed += 1
                print("HalfWave, %s, %s: %s, right %.7f" % (diode, structure, got, right))
    # relations that rest at zero, in one component or several, while diodes commutate
    for name, reference in DIRECT:
        right = reference(0.0323)
        for diode in ("EitherNegative", "InTwoBlocks", "OnIfPositive"):
            for structure in ("auto", "modes", "inline", "single"):
                runs += 1
                options = ["--structure", structure]
                got = simulate(kairos, name, diode, 0.0323, *options, variable="l.i")
                if isinstance(got, str) or abs(got - right) > 4e-6 * (1 + abs(right)):
                    failed += 1
                    print("%s, %s, %s: %s, right %.7f" % (name, diode, structure, got, right))
    # one plan, in which the coil is inlined, and a solver for the other states
    for name, reference in CASES[4:] + DIRECT:
        right, variable = reference(0.0323), "c.v" if (name, reference) in CASES else "l.i"
        for diode in ("Automaton", "Declarative", "EitherNegative"):
            for solver in ("cvode", "ida", "radau", "dopri5"):
                runs += 1
                options = ["--structure", "single", "--solver", solver]
                got = simulate(kairos, name, diode, 0.0323, *options, variable=variable)
                if isinstance(got, str) or abs(got - right) > 1e-4 * (1 + abs(right)):
                    failed += 1
                    print("%s, %s, %s: %s, right %.7f" % (name, diode, solver, got, right))
    # inline steps with a coarse interpolation from zero on
    right = with_coil([(0.0423, lambda t: V * math.cos(W * t))], [1, -1])
    for tolerance in ("1e-3", "1e-4"):
        runs += 1
        options = ["--structure", "inline", "--tolerance", tolerance]
        options += ["--set", "s.phase=%r" % (math.pi / 2)]
        got = simulate(kairos, "BridgeCoil", "EitherNegative", 0.0423, *options)
        if isinstance(got, str) or abs(got - right) > 20 * float(tolerance):
            failed += 1
            print("BridgeCoil, EitherNegative, %s: %s, right %.7f" % (tolerance, got, right))
    print("%d of %d runs failed" % (failed, runs))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
