"""The tutorial of docs/python.md and the examples are true."""
import re
import runpy
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]


def test_tutorial():
    text = (TOP / "docs/python.md").read_text()
    blocks = re.findall(r"(?s)```python\n(.*?)```", text)
    assert len(blocks) >= 6
    exec(compile("\n".join(blocks), "docs/python.md", "exec"), {})


def test_environment():
    example = runpy.run_path(str(TOP / "examples/python/hover.py"))
    env = example["Hover"](steps=200)
    totals = []
    for _ in range(2):
        (h, v), _ = env.reset()
        total = 0
        for _ in range(env.steps):
            (h, v), reward, terminated, truncated, _ = env.step(9.81 + 4*(1 - h) - 3*v)
            total += reward
        totals.append(total)
    assert abs(h - 1) < 1e-3 and not terminated and truncated
    assert totals[0] == totals[1]


def test_environment_ends_at_an_impact():
    env = runpy.run_path(str(TOP / "examples/python/hover.py"))["Hover"]()
    env.reset()
    ends = [env.step(0)[2] for _ in range(10)]
    # free fall from 0.5 takes sqrt(2*0.5/9.81) = 0.319 s: between steps 6 and 7
    assert ends.index(True) == 6
