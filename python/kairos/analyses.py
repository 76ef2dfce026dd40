"""Analyses beyond one trajectory: linear models, steady states, sensitivities, fits, designs."""

from __future__ import annotations

import ctypes
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from ctypes import byref, c_char_p, sizeof
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _library as c
from . import _signals
from .errors import error_of, take_session_messages

if TYPE_CHECKING:
    from .model import Model


def _complex(numbers: Sequence[Mapping[str, float]]) -> np.ndarray:
    return np.array([complex(x["re"], x["im"]) for x in numbers], dtype=complex)


def _matrix(rows: Sequence[Sequence[float]], n: int, m: int) -> np.ndarray:
    return np.array(rows, dtype=float).reshape(n, m)


def _array(numbers: Sequence[float | None]) -> np.ndarray:
    return np.array(numbers, dtype=float)  # None becomes nan


@dataclass(frozen=True)
class LinearModel:
    """x' = A x + B u, y = C x + D u; with a period x(k+1) = A x(k) + B u(k)."""

    time: float
    states: list[str]
    inputs: list[str]
    outputs: list[str]
    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    poles: np.ndarray
    zeros: np.ndarray
    period: float | None

    @classmethod
    def _of(cls, r: Mapping[str, Any]) -> "LinearModel":
        n, m, p = len(r["states"]), len(r["inputs"]), len(r["outputs"])
        return cls(r["time"], r["states"], r["inputs"], r["outputs"], _matrix(r["A"], n, n),
                   _matrix(r["B"], n, m), _matrix(r["C"], p, n), _matrix(r["D"], p, m),
                   _complex(r["poles"]), _complex(r["zeros"]), r["period"])

    def response(self, frequencies: Sequence[float] | np.ndarray) -> np.ndarray:
        """The response at frequencies in Hz: an array of frequencies, outputs and inputs."""
        s = 2j * np.pi * np.asarray(frequencies, dtype=float)
        at = s if self.period is None else np.exp(s * self.period)
        unit = np.eye(len(self.states))
        return np.array([self.C @ np.linalg.solve(z * unit - self.A, self.B) + self.D for z in at])


@dataclass(frozen=True)
class Steady:
    """An equilibrium, or a periodic steady state."""

    kind: str
    period: float | None
    #: by variable: its value at the beginning of a period
    values: dict[str, float | bool]
    #: Floquet multipliers; of an equilibrium none
    multipliers: np.ndarray
    stable: bool
    periods_used: int
    time: float
    #: the motion repeats after so many periods of its drive
    multiple: int
    #: of an equilibrium: eigenvalues of its linear model
    poles: np.ndarray
    #: by variable: mean, rms, min, max over the period
    figures: dict[str, dict[str, float]]

    @classmethod
    def _of(cls, r: Mapping[str, Any]) -> "Steady":
        return cls(r["kind"], r["period"], r["values"], _complex(r["multipliers"]), r["stable"],
                   r["periods_used"], r["time"], r["multiple"], _complex(r["poles"]), r["figures"])


@dataclass(frozen=True)
class Sensitivities:
    """Derivatives of trajectories and of scalars of them."""

    time: np.ndarray
    values: dict[str, np.ndarray]
    #: by variable and parameter; nan where they are unknown
    d: dict[str, dict[str, np.ndarray]]
    #: such as "end(x)": its value, and its derivatives by parameter
    scalars: dict[str, dict[str, float | None]]
    events: list[dict[str, float | None]]
    #: None, or time and reason: derivatives are unknown from then on
    flaw: dict[str, Any] | None

    @classmethod
    def _of(cls, r: Mapping[str, Any]) -> "Sensitivities":
        d = {x: {p: _array(v) for p, v in row.items()} for x, row in r["d"].items()}
        values = {x: _array(v) for x, v in r["values"].items()}
        return cls(_array(r["time"]), values, d, r["scalars"], r["events"], r["flaw"])


@dataclass(frozen=True)
class Estimate:
    """A fitted parameter; nan where the data do not determine it."""

    value: float
    sigma: float
    low: float
    high: float


@dataclass(frozen=True)
class Fit:
    """Parameters from measurements."""

    parameters: dict[str, Estimate]
    residual: float
    #: of the parameters, in their order
    covariance: np.ndarray
    experiments: list[dict[str, Any]]
    #: "converged"; otherwise the best result so far
    status: str
    #: combinations without effect: relative changes by parameter
    not_identifiable: list[dict[str, float]]
    at_bounds: list[str]
    runs: int

    @classmethod
    def _of(cls, r: Mapping[str, Any]) -> "Fit":
        number = lambda x: float("nan") if x is None else x
        parameters = {name: Estimate(*(number(p[k]) for k in ("value", "sigma", "low", "high")))
                      for name, p in r["parameters"].items()}
        return cls(parameters, r["residual"], _array(r["covariance"]), r["experiments"],
                   r["status"], r["not_identifiable"], r["at_bounds"], r["runs"])


@dataclass(frozen=True)
class Optimum:
    """The best values of parameters for a goal."""

    parameters: dict[str, float]
    objective: float
    #: "converged"; "infeasible" if nothing satisfies the constraints
    status: str
    #: text, and by how much it is exceeded
    constraints: list[dict[str, Any]]
    at_bounds: list[str]
    runs: int

    @classmethod
    def _of(cls, r: Mapping[str, Any]) -> "Optimum":
        return cls(r["parameters"], r["objective"], r["status"], r["constraints"], r["at_bounds"],
                   r["runs"])


def _path(name: str | os.PathLike[str] | None) -> bytes | None:
    return None if name is None else os.fsencode(name)


def _texts(values: Sequence[str]) -> ctypes.Array:
    array = (c_char_p * max(len(values), 1))()
    array[: len(values)] = [v.encode() for v in values]
    return array


def _ranges(bounds: Mapping[str, tuple[float | None, float | None]] | None) -> ctypes.Array:
    array = (c.Range * max(len(bounds or {}), 1))()
    for at, (name, (low, high)) in zip(array, (bounds or {}).items()):
        at.name = name.encode()
        at.low = -np.inf if low is None else low
        at.high = np.inf if high is None else high
    return array


def _numbers(values: Mapping[str, float]) -> ctypes.Array:
    array = (c.Number * max(len(values), 1))()
    for at, (name, value) in zip(array, values.items()):
        at.name, at.value = name.encode(), value
    return array


def _table(data: Mapping[str, Any], path: str) -> str:
    """Writes columns, the time first, as a file."""
    names = ["time", *(name for name in data if name != "time")]
    columns = [np.asarray(data[name], dtype=float) for name in names]
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(quoted) + "\n")
        for row in zip(*columns, strict=True):
            file.write(",".join("" if np.isnan(x) else repr(float(x)) for x in row) + "\n")
    return path


def _call(model: "Model", function: Any, run: Any, how: Any, best: bool = False) -> Any:
    """Calls an analysis; returns its JSON. best: also that of a search that failed."""
    text = ctypes.c_void_p()
    try:
        code = _signals.call(model._session, function, model._at, byref(run), byref(how),
                             byref(text))
    finally:
        made = c.take_text(text.value) if text.value else None
        messages = take_session_messages(model._session)
    if made is None or not (code == c.OK or (best and code == c.FAILED)):
        raise error_of(code or c.FAILED, messages)
    return json.loads(made)


def linearize(model: "Model", run: Any, at: Any, period: float | None, average: bool,
              pade: int) -> "LinearModel | list[LinearModel]":
    several = isinstance(at, (list, tuple))
    points = [] if at is None else [str(t) for t in (at if several else [at])]
    how = c.Linearize(size=sizeof(c.Linearize), at=_texts(points), n_at=len(points),
                      period=period or 0, average=average, pade_order=pade)
    r = _call(model, c.lib.kairos_linearize_model, run, how)
    models = [LinearModel._of(x) for x in (r if isinstance(r, list) else [r])]
    return models if several else models[0]


def steady(model: "Model", run: Any, period: float | None,
           orbit: str | os.PathLike[str] | None) -> Steady:
    how = c.Steady(size=sizeof(c.Steady), period=period or 0, orbit=_path(orbit))
    return Steady._of(_call(model, c.lib.kairos_steady, run, how))


def sensitivities(model: "Model", run: Any, of: Sequence[str], to: Sequence[str]) -> Sensitivities:
    how = c.Sensitivities(size=sizeof(c.Sensitivities), of=_texts(of), n_of=len(of), to=_texts(to),
                          n_to=len(to))
    return Sensitivities._of(_call(model, c.lib.kairos_sensitivities, run, how))


def fit(model: "Model", run: Any, data: Any, parameters: Sequence[str], bounds: Any, weights: Any,
        noise: Mapping[str, float] | None, search_box: bool, most: int | None, confidence: float,
        jobs: int | None, report: str | os.PathLike[str] | None) -> Fit:
    files = [data] if isinstance(data, (str, os.PathLike)) or hasattr(data, "keys") else data
    word = weights if isinstance(weights, str) else None
    factors = {} if weights is None or word else weights
    with tempfile.TemporaryDirectory(prefix="kairos-") as folder:
        paths = [os.fspath(x) if isinstance(x, (str, os.PathLike))
                 else _table(x, os.path.join(folder, f"data{i}.csv")) for i, x in enumerate(files)]
        how = c.Fit(size=sizeof(c.Fit), data=_texts(paths), n_data=len(paths),
                    parameters=_texts(parameters), n_parameters=len(parameters),
                    bounds=_ranges(bounds), n_bounds=len(bounds or {}),
                    weighting=word.encode() if word else None, weights=_numbers(factors),
                    n_weights=len(factors), noise=_numbers(noise or {}), n_noise=len(noise or {}),
                    most=most or 0, confidence=confidence, jobs=jobs or 0, report=_path(report),
                    **{"global": search_box})
        return Fit._of(_call(model, c.lib.kairos_fit_model, run, how, best=True))


def optimize(model: "Model", run: Any, minimize: str, over: Mapping[str, tuple[float, float]],
             subject_to: str | Sequence[str], search_box: bool, most: int | None) -> Optimum:
    constraints = [subject_to] if isinstance(subject_to, str) else list(subject_to)
    how = c.Optimize(size=sizeof(c.Optimize), minimize=minimize.encode(), over=_ranges(over),
                     n_over=len(over), constraints=_texts(constraints),
                     n_constraints=len(constraints), most=most or 0,
                     **{"global": search_box})
    return Optimum._of(_call(model, c.lib.kairos_optimize_model, run, how, best=True))
