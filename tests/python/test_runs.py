"""Runs from Python against the closed form of the bouncing ball."""
import threading
import time

import numpy as np
import pytest

import kairos

FALL = np.sqrt(2/9.81)  # time of the first fall


def height_after_first_impact(t, e):
    s, v = t - FALL, e*9.81*FALL
    return v*s - 9.81*s**2/2


def test_simulate(ball):
    r = ball.simulate(stop=0.8, e=0.9, tolerance=1e-8)
    assert r.ok and r.names[:2] == ["e", "h"]
    before = r.time < FALL - 1e-6
    assert np.allclose(r["h"][before], 1 - 9.81*r.time[before]**2/2, atol=1e-7)
    assert r.end("h") == pytest.approx(height_after_first_impact(0.8, 0.9), abs=1e-6)
    assert [event["time"] for event in r.events] == pytest.approx([FALL], rel=1e-6)
    assert r.at(0.2, "h") == pytest.approx(1 - 9.81*0.2**2/2, abs=1e-5)
    assert r.parameters == {"e": 0.9}


def test_dotted_names_and_start_values(ball):
    r = ball.simulate({"h.start": 2, "e": 0.5}, stop=0.1)
    assert r.end("h") == pytest.approx(2 - 9.81*0.1**2/2, abs=1e-6)


def test_arrays_share_memory_and_outlive_the_model(ball):
    r = ball.simulate(stop=0.1)
    h, values = r["h"], r.values
    assert np.shares_memory(h, values)
    ball.close()
    del ball, r
    assert h[0] == 1 and values[-1, 0] == 0.1


def test_many_runs_equal_single_runs(ball):
    e = np.linspace(0.5, 0.9, 9)
    runs = ball.simulate_many(e=e, stop=2, jobs=2)
    for run, value in zip(runs, e):
        assert np.array_equal(run.values, ball.simulate(e=value, stop=2).values)
    one = ball.simulate_many(e=e, stop=2, jobs=1)
    assert all(np.array_equal(a.values, b.values) for a, b in zip(runs, one))
    assert np.array_equal(runs.end("h"), [r.end("h") for r in runs])
    assert len(runs[2:4]) == 2 and runs[2:4].varied["e"][0] == e[2]


def test_types_of_parameters():
    m = kairos.Model.from_text("""model M
      type Kind = enumeration(slow, fast);
      parameter Boolean on = false; parameter Integer n = 1; parameter Kind kind = Kind.slow;
      parameter Real a[2] = {1, 2};
      Real y = (if on then n else 0) + (if kind == Kind.fast then 100 else 0) + a[2];
    end M;""")
    r = m.simulate(on=True, n=3, kind="M.Kind.fast", a=[1, 20])
    assert r["y"][0] == 123
    assert list(m.simulate_many(n=[1, 2], on=True).end("y")) == [3, 4]


def test_structural_parameter():
    m = kairos.Model.from_text(
        "model M parameter Integer n = 2; Real x[n] = {i*time for i in 1:n}; end M;")
    assert "x[3]" not in m.simulate()
    assert m.simulate(n=3).end("x[3]") == 3
    assert [len(r.names) for r in m.simulate_many(n=[1, 4])] == [2, 5]
    assert kairos.Model.from_text(
        "model M parameter Integer n = 2; Real x[n] = fill(time, n); end M;",
        set={"n": 5}).simulate().end("x[5]") == 1


def test_inputs(tmp_path):
    m = kairos.Model.from_text("model M input Real u; Real x(start=0, fixed=true); "
                               "equation der(x) = u; end M;")
    assert m.simulate(options={"inputs": {"u": "2*time"}}).end("x") == pytest.approx(1, abs=1e-6)
    (tmp_path / "u.csv").write_text("time,u\n0,3\n1,3\n")
    assert m.simulate(options={"inputs": "u.csv"}).end("x") == pytest.approx(3, abs=1e-6)


def test_errors_carry_diagnostics(ball):
    with pytest.raises(kairos.UseError) as caught:
        ball.simulate(ee=1)
    assert caught.value.diagnostics[0].code == "U004"
    assert "did you mean 'e'" in str(caught.value)
    with pytest.raises(ValueError):
        ball.simulate(solver="nothing")
    with pytest.raises(kairos.ModelError) as caught:
        kairos.Model.from_text("model M Real x = y; end M;", name="here.mo")
    found = caught.value.diagnostics[0]
    assert (found.code, found.file, found.line) == ("I001", "here.mo", 1)
    with pytest.raises(kairos.UseError, match="nothing.mo"):
        kairos.Model("nothing.mo")
    assert ball.simulate(stop=0.1).ok  # the model stays usable


FAILS = """model Fails parameter Real a = 1; Real x(start = 0, fixed = true);
equation der(x) = 1; assert(x < a, "x is too large"); end Fails;"""


def test_a_failed_run_keeps_its_rows():
    m = kairos.Model.from_text(FAILS)
    with pytest.raises(kairos.SimulationError) as caught:
        m.simulate(a=0.5)
    assert 0.45 < caught.value.result.time[-1] < 0.55
    assert any("x is too large" in d.message for d in caught.value.diagnostics)
    runs = m.simulate_many(a=[2, 0.5, 3], errors="keep")
    assert list(runs.status) == [0, 3, 0]
    assert isinstance(runs[1].error, kairos.SimulationError) and runs[0].error is None
    with pytest.raises(kairos.SimulationError):
        m.simulate_many(a=[2, 0.5])


def test_limit_of_seconds():
    m = kairos.Model.from_text("model M Real x(start=0,fixed=true); equation der(x)=1; end M;")
    with pytest.raises(kairos.SimulationError) as caught:
        m.simulate(stop=1e9, intervals=1, options={"seconds": 0.05, "solver": "euler",
                                                   "step": 1e-3})
    assert caught.value.diagnostics[-1].code == "R027"


def test_wrong_calls_of_many(ball):
    with pytest.raises(ValueError, match="different lengths"):
        ball.simulate_many({"e": [1, 2], "h.start": [1]})
    with pytest.raises(ValueError, match="at least one"):
        ball.simulate_many(e=0.5)
    with pytest.raises(kairos.UseError):
        ball.simulate_many(f=[1, 2])


def test_unknown_options(ball):
    with pytest.raises(TypeError, match="did you mean 'event_epsilon'"):
        ball.simulate(options={"event_epsilons": 1e-9})
    with pytest.raises(TypeError, match="no option 'tolerence'"):
        ball.simulate_many(e=[0.5, 0.6], options={"tolerence": 1e-3})


def test_the_engine_releases_the_gil(ball):
    m = kairos.Model.from_text("model M Real x(start=1,fixed=true); equation der(x)=-x; end M;")
    counted = []

    def count():
        while not done.is_set():
            counted.append(1)
            time.sleep(0.001)
    done = threading.Event()
    thread = threading.Thread(target=count)
    thread.start()
    m.simulate(stop=1000, intervals=1, solver="euler", options={"step": 1e-3})
    done.set()
    thread.join()
    assert len(counted) > 3


def test_plots_and_representations(ball):
    r = ball.simulate(stop=1)
    axes = r.plot("h", "v", events=True)
    assert [line.get_label() for line in axes.get_lines()[:2]] == ["h", "v"]
    assert "<table>" in r._repr_html_() and "Ball" in repr(r)
    assert "0.7" in ball._repr_html_() and ball.parameters == {"e": 0.7}
    runs = ball.simulate_many(e=[0.5, 0.6], stop=1)
    assert len(runs.plot("h").get_lines()) == 2
    with pytest.raises(KeyError, match="did you mean 'h'"):
        r["hh"]


def test_frames(ball):
    pandas = pytest.importorskip("pandas")
    frame = ball.simulate(stop=1).frame(["h"])
    assert isinstance(frame, pandas.DataFrame) and frame.index.name == "time"
    table = ball.simulate_many(e=[0.5, 0.6], stop=1).frame("h")
    assert list(table.columns) == ["e", "h", "status"]
