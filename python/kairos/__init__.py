"""Kairos from Python: compile a hybrid Modelica model once, run it as often as you like.

    import kairos
    m = kairos.Model("Ball.mo")
    r = m.simulate(stop=2, e=0.9)
    r["h"], r.time, r.events
    runs = m.simulate_many(e=[0.7, 0.8, 0.9], stop=2)
    with m.instance() as x:
        x.initialize()
        x.advance(0.5)

The package calls the library libkairos; results are numpy arrays that share its memory.
"""

from ._library import version
from .errors import Diagnostic, KairosError, ModelError, SimulationError, UseError
from .instance import Instance, State
from .model import Model
from .result import Result, Runs

__version__ = version()
__all__ = ["Diagnostic", "Instance", "KairosError", "Model", "ModelError", "Result", "Runs",
           "SimulationError", "State", "UseError", "version"]
