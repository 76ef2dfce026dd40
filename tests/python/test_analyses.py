"""Linear models, steady states and sensitivities in Python."""
import math

import numpy as np
import pytest

import kairos

OSCILLATOR = """model M
  parameter Real w = 3, d = 0.2;
  input Real u;
  output Real y = x;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -w^2*x - 2*d*w*v + u;
end M;
"""


@pytest.fixture(scope="module")
def oscillator():
    return kairos.Model.from_text(OSCILLATOR)


def test_linear_model(oscillator):
    r = oscillator.linearize(w=2)
    assert r.states == ["x", "v"] and r.inputs == ["u"] and r.outputs == ["y"]
    assert np.allclose(r.A, [[0, 1], [-4, -0.8]]) and r.period is None
    assert np.allclose(sorted(abs(r.poles)), [2, 2])
    assert np.allclose(r.response([0, 1])[:, 0, 0],
                       [1 / (4 - s * s + 0.8j * s) for s in (0, 2 * math.pi)])
    several = oscillator.linearize(at=[0, "steady"])
    assert [len(x.A) for x in several] == [2, 2]


def test_steady(oscillator, tmp_path):
    r = oscillator.steady()
    assert r.kind == "equilibrium" and r.stable and abs(r.values["x"]) < 1e-9
    driven = kairos.Model.from_text(OSCILLATOR.replace("+ u", "+ cos(2*time)"))
    r = driven.steady(orbit=tmp_path / "orbit.csv")
    x = 1 / (9 - 4 + 2j * 0.2 * 3 * 2)
    assert r.kind == "periodic" and math.isclose(r.period, math.pi, rel_tol=1e-9)
    assert abs(r.values["x"] - x.real) < 1e-6
    assert abs(r.figures["x"]["max"] - abs(x)) < 1e-6
    assert np.allclose(abs(r.multipliers), math.exp(-0.6 * math.pi))
    assert (tmp_path / "orbit.csv").exists()
    with pytest.raises(kairos.KairosError):
        kairos.Model.from_text(OSCILLATOR.replace("+ u", "+ time")).steady()


def test_sensitivities(oscillator):
    r = oscillator.sensitivities(["x"], ["w", "x.start"], stop=1, tolerance=1e-9)
    wd = 3 * math.sqrt(1 - 0.04)
    x = lambda w: math.exp(-0.2 * w) * (math.cos(w * wd / 3) + 0.6 / wd * math.sin(w * wd / 3))
    assert abs(r.scalars["end(x)"]["w"] - (x(3 + 1e-5) - x(3 - 1e-5)) / 2e-5) < 1e-6
    assert abs(r.d["x"]["x.start"][-1] - x(3)) < 1e-6
    assert r.flaw is None and len(r.time) == len(r.values["x"])


def test_fit(oscillator):
    t = np.linspace(0, 3, 61)
    wd = 2.7 * math.sqrt(1 - 0.09)
    x = np.exp(-0.81 * t) * (np.cos(wd * t) + 0.81 / wd * np.sin(wd * t))
    x[7] = np.nan
    data = {"time": t, "x": x, "u": 0 * t}
    r = oscillator.fit(data, ["w", "d"], bounds={"d": (0, 1)}, tolerance=1e-9)
    assert r.status == "converged" and abs(r.parameters["w"].value - 2.7) < 1e-6
    assert abs(r.parameters["d"].value - 0.3) < 1e-6 and r.covariance.shape == (2, 2)
    assert r.experiments[0]["points"] == 60 and r.experiments[0]["inputs"] == ["u"]
    with pytest.raises(kairos.UseError, match="'z'"):
        oscillator.fit({"time": t, "z": x}, ["w"])


def test_optimize(oscillator):
    d = math.log(1 / 0.3) / math.hypot(math.pi, math.log(1 / 0.3))
    r = oscillator.optimize("d", {"d": (0.05, 0.9)}, subject_to="min(x) >= -0.3", stop=3)
    assert r.status == "converged" and abs(r.parameters["d"] - d) < 1e-4
