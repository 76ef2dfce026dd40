import matplotlib
import pytest

import kairos

matplotlib.use("Agg")

BALL = """model Ball "A ball falls on the floor and bounces"
  parameter Real e = 0.7 "coefficient of restitution";
  Real h(start = 1, fixed = true) "height";
  Real v(start = 0, fixed = true) "velocity";
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -e*pre(v));
  end when;
end Ball;
"""


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def ball(tmp_path):
    (tmp_path / "Ball.mo").write_text(BALL)
    return kairos.Model("Ball.mo")
