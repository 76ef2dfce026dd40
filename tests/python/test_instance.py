"""Instances from Python."""
import numpy as np
import pytest

import kairos

FALL = np.sqrt(2/9.81)


def test_advance_save_restore(ball):
    with ball.instance(e=0.7) as x:
        x.initialize()
        x.advance(0.5)
        s = x.save()
        x["e"] = 0.5
        x.advance(1.2)
        other = x["h"]
        x.restore(s)
        assert x.time == 0.5 and x["e"] == 0.7
        x.advance(1.2)
        assert x["h"] != other
        again = ball.instance(e=0.7)
        again.restore(s)
        again.advance(1.2)
        assert again["h"] == x["h"]
    with pytest.raises(ValueError, match="closed"):
        x.advance(2)


def test_stops_at_events(ball):
    x = ball.instance().initialize()
    assert x.advance(2, stop_at_event=True) == pytest.approx(FALL, rel=1e-6)
    assert x.n_events == 1 and x.last_event["time"] == x.time
    assert x["v"] == pytest.approx(0.7*9.81*FALL, rel=1e-5)


def test_values_before_the_initialization(ball):
    x = ball.instance()
    x.set({"h": 4, "e": 0.3})
    x.initialize()
    assert list(x.get(["h", "e", "time"])) == [4, 0.3, 0]
    clone = x.clone()
    x.advance(0.1)
    assert clone.time == 0 and clone["h"] == 4
    assert x.reset().initialize()["h"] == 4


def test_inputs_between_steps():
    m = kairos.Model.from_text("model M input Real u; Real x(start=0, fixed=true); "
                               "equation der(x) = u; end M;")
    with m.instance() as x:
        x["u"] = 1
        x.initialize()
        x.advance(1)
        x["u"] = -2
        x.advance(2)
        assert x["x"] == pytest.approx(-1, abs=1e-9)


def test_wrong_calls(ball):
    x = ball.instance()
    with pytest.raises(kairos.UseError):
        x.advance(1)
    x.initialize()
    x.advance(1)
    with pytest.raises(kairos.UseError):
        x.advance(0.5)
    with pytest.raises(KeyError, match="nothing"):
        x["nothing"]
    with pytest.raises(kairos.KairosError):
        x.restore(b"damaged")
    ball.close()
    with pytest.raises(ValueError, match="closed"):
        x.time
