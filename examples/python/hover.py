"""An environment in the style of Gymnasium: keep a mass at height 1 by choosing its thrust.

    env = Hover()
    observation, info = env.reset()
    observation, reward, terminated, truncated, info = env.step(9.81)

The environment saves the initial state once. A reset restores it, which costs less than a new run.
"""

import numpy as np

import kairos

MODEL = """model Hover
  input Real thrust "acceleration upwards";
  Real h(start = 0.5, fixed = true), v(start = 0, fixed = true);
  Integer impacts(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = thrust - 9.81;
  when h <= 0 then
    reinit(v, -0.5*pre(v));
    impacts = pre(impacts) + 1;
  end when;
end Hover;
"""


class Hover:
    def __init__(self, step: float = 0.05, steps: int = 100):
        self.model = kairos.Model.from_text(MODEL, name="Hover.mo")
        self.instance = self.model.instance()
        self.instance["thrust"] = 9.81
        self.beginning = self.instance.initialize().save()
        self.length, self.steps, self.n = step, steps, 0

    def reset(self, *, seed=None, options=None):
        self.instance.restore(self.beginning)
        self.n = 0
        return self.instance.get(["h", "v"]), {}

    def step(self, action: float):
        self.instance["thrust"] = float(np.clip(action, 0, 20))
        self.n += 1
        self.instance.advance(self.n*self.length)
        h, v, impacts = self.instance.get(["h", "v", "impacts"])
        reward = -(h - 1)**2 - 0.1*v**2
        return np.array([h, v]), reward, impacts > 0, self.n >= self.steps, {}


if __name__ == "__main__":
    env = Hover()
    (h, v), _ = env.reset()
    total = 0.0
    for _ in range(env.steps):
        (h, v), reward, terminated, truncated, _ = env.step(9.81 + 4*(1 - h) - 3*v)
        total += reward
    print(f"height {h:.4f}, sum of rewards {total:.3f}")
