"""A compiled model."""

from __future__ import annotations

import contextlib
import ctypes
import difflib
import html
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from ctypes import POINTER, byref, c_char_p, c_double, pointer, sizeof
from pathlib import Path
from typing import Any

import numpy as np

from . import _library as c
from . import _signals, analyses
from .errors import Diagnostic, error_of, take_session_messages
from .instance import Instance
from .result import Result, Runs

ENDINGS = (".mo", ".dym", ".om")


def _text(value: Any) -> str:
    """A value of a setting as Modelica text."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, (Sequence, np.ndarray)):
        return "{" + ", ".join(_text(v) for v in value) + "}"
    raise TypeError(f"{value!r} is not a value of a parameter")


# ---- options of a run ----

_RUN_SIZE, _BATCH_SIZE = sizeof(c.Run), sizeof(c.Batch)


def _set_time(run: c.Run, name: str, value: Any, keep: list[Any]) -> None:
    number = c_double(float(value))
    keep.append(number)
    setattr(run, name + "_time", pointer(number))


def _set_word(run: c.Run, name: str, value: Any, keep: list[Any]) -> None:
    setattr(run, name, str(value).encode())


def _set_number(run: c.Run, name: str, value: Any, keep: list[Any]) -> None:
    setattr(run, name, float(value))


def _set_count(run: c.Run, name: str, value: Any, keep: list[Any]) -> None:
    setattr(run, name, int(value))


def _set_inputs(run: c.Run, name: str, inputs: Any, keep: list[Any]) -> None:
    if isinstance(inputs, (str, os.PathLike)):
        pairs: list[tuple[bytes | None, str]] = [(None, os.fspath(inputs))]
    else:
        pairs = [(n.encode(), _text(v)) for n, v in inputs.items()]
    array = (c.Input * max(len(pairs), 1))()
    for at, (own, value) in zip(array, pairs):
        at.name, at.value = own, value.encode()
    keep.append(array)
    run.inputs, run.n_inputs = array, len(pairs)


_OPTIONS = {
    **dict.fromkeys(("start", "stop"), _set_time),
    **dict.fromkeys(("solver", "structure", "accumulation", "chattering", "mixed", "variables",
                     "inline_method", "output_points"), _set_word),
    **dict.fromkeys(("tolerance", "step", "event_epsilon", "output_step", "seconds"), _set_number),
    "intervals": _set_count,
    "inputs": _set_inputs,
}


def _unknown_option(name: str) -> str:
    near = difflib.get_close_matches(name, _OPTIONS, 1)
    hint = f"; did you mean '{near[0]}'?" if near else ""
    return f"a run has no option '{name}'{hint} Options are {', '.join(sorted(_OPTIONS))}"


class Model:
    """A model, compiled once and run as often as you like.

    source: a file (.mo, .dym, .om), a folder with package.mo, or the full name of a class.
    model: a class of the file; otherwise its last model. library: folders with packages.
    set: values that change the structure, such as array sizes; others are allowed too.
    compiler: "auto", "tcc" or "cc". check_units: warn if units do not agree.
    """

    def __init__(self, source: str | os.PathLike[str], *, model: str | None = None,
                 library: Sequence[str | os.PathLike[str]] = (),
                 set: Mapping[str, Any] | None = None, compiler: str | None = None,
                 check_units: bool = False, text: str | None = None):
        self._owned: c.Owned | None = None
        self._description: dict[str, Any] | None = None
        self._name: str | None = None
        self._present: _signals.Interruptible | None = None  # the run in the main thread
        session = c.lib.kairos_open()
        if not session:
            raise MemoryError("out of memory")
        self._session_owned: c.Owned | None = c.Owned(c.lib.kairos_close, session)
        for folder in library:
            c.lib.kairos_add_library(self._session, os.fsencode(folder))
        c.lib.kairos_use_libraries(self._session)
        self._load(source, text)
        settings = c.settings_array({n: _text(v) for n, v in (set or {}).items()})
        how = c.Compile(size=sizeof(c.Compile), compiler=compiler.encode() if compiler else None,
                        check_units=check_units, settings=settings, n_settings=len(set or {}))
        name = model or (None if self._is_file else os.fspath(source))

        def compile() -> None:
            made = c.lib.kairos_compile_model(
                self._session, name.encode() if name else None, byref(how))
            if made:
                self._owned = c.Owned(c.lib.kairos_free_model, made, self._session_owned)
        _signals.call(self._session, compile)
        status = c.lib.kairos_compile_status(self._session)
        #: Warnings of the compilation.
        self.messages: list[Diagnostic] = take_session_messages(self._session)
        if self._owned is None:
            raise error_of(status or c.FAILED, self.messages)
        self._watch = c.ProgressFn(self._on_progress)

    @classmethod
    def from_text(cls, text: str, name: str = "text.mo", **options: Any) -> "Model":
        """A model of Modelica text; `name` stands in messages."""
        return cls(name, text=text, **options)

    def _load(self, source: str | os.PathLike[str], text: str | None) -> None:
        path = Path(source)
        self._is_file = text is not None or path.suffix in ENDINGS or path.is_dir()
        if text is not None:
            raw = text.encode()
            status = _signals.call(self._session, c.lib.kairos_load_text, self._session,
                                   os.fspath(source).encode(), raw, len(raw))
        elif self._is_file:
            status = _signals.call(self._session, c.lib.kairos_load_file, self._session,
                                   os.fsencode(path))
        else:
            status = c.OK
        if status != c.OK:
            raise error_of(status, take_session_messages(self._session))

    def close(self) -> None:
        """Closes the model and its instances. Results stay valid."""
        self._owned = self._session_owned = None

    def __enter__(self) -> "Model":
        return self

    def __exit__(self, *reason: Any) -> None:
        self.close()

    @property
    def _at(self) -> int:
        if self._owned is None:
            raise ValueError("the model is closed")
        return self._owned.address

    @property
    def _session(self) -> int:
        if self._session_owned is None:
            raise ValueError("the model is closed")
        return self._session_owned.address

    # ---- what the model has ----

    @property
    def name(self) -> str:
        if self._name is None:
            self._name = c.lib.kairos_model_name(self._at).decode()
        return self._name

    @property
    def description(self) -> dict[str, Any]:
        """Class, experiment, parameters, start values and variables, as kairos_describe_model
        returns them."""
        if self._description is None:
            self._description = json.loads(c.take_text(c.lib.kairos_describe_model(self._at)))
        return self._description

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters and their values."""
        return {p["name"]: p.get("value") for p in self.description["parameters"]}

    @property
    def variables(self) -> list[str]:
        return [v["name"] for v in self.description["variables"]]

    def __repr__(self) -> str:
        return f"<kairos.Model {self.name}>" if self._owned else "<kairos.Model, closed>"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{html.escape(n)}</td><td>{html.escape(str(v))}</td></tr>"
                       for n, v in list(self.parameters.items())[:20])
        return (f"<b>{html.escape(self.name)}</b>: {len(self.variables)} variables"
                f"<table><tr><th>parameter</th><th>value</th></tr>{rows}</table>")

    # ---- runs ----

    @staticmethod
    def _run(settings: Mapping[str, Any], options: Mapping[str, Any]) -> tuple[c.Run, list[Any]]:
        """The struct of a run, and the memory that it refers to."""
        run = c.Run(size=_RUN_SIZE)
        keep: list[Any] = []
        for name, value in options.items():
            if value is None:
                continue
            read = _OPTIONS.get(name)
            if read is None:
                raise TypeError(_unknown_option(name))
            read(run, name, value, keep)
        if settings:
            array = c.settings_array({n: _text(v) for n, v in settings.items()})
            keep.append(array)
            run.settings, run.n_settings = array, len(settings)
        return run, keep

    def _on_progress(self, *_: Any) -> None:
        """Called by a run now and then. Python handles signals before the first line."""
        if (present := self._present) is not None:
            present.repeat()

    @contextlib.contextmanager
    def _interruptible(self) -> Iterator[None]:
        """For calls of the library whose run has the callback `_watch`."""
        with _signals.Interruptible(self._session) as present:
            before, self._present = self._present, present
            try:
                yield
            finally:
                self._present = before

    def simulate(self, parameters: Mapping[str, Any] | None = None, /, *,
                 start: float | None = None, stop: float | None = None,
                 intervals: int | None = None, tolerance: float | None = None,
                 solver: str | None = None, events: bool = True,
                 options: Mapping[str, Any] | None = None, **values: Any) -> Result:
        """Runs the model and returns its rows.

        Parameters and start values are keywords (`e=0.9`), or a dict for dotted names
        (`{"motor.R": 2, "x.start": 1}`). `options` has further options of a run: step, structure,
        event_epsilon, accumulation, chattering, mixed, variables (a regular expression), inputs
        (a file, or expressions by name), output_step, inline_method, seconds (a limit).

        Raises SimulationError, whose `result` has the rows up to the failure.
        """
        own = {"start": start, "stop": stop, "intervals": intervals, "tolerance": tolerance,
               "solver": solver, **(options or {})}
        settings = {**(parameters or {}), **values}
        run, keep = self._run(settings, own)
        if c.in_main_thread():
            run.on_progress = self._watch
        rows, status = ctypes.c_void_p(), ctypes.c_int()
        batch = c.Batch(size=_BATCH_SIZE, run=pointer(run), n=1, jobs=1, events=events)
        at, name = self._at, self.name
        with self._interruptible():
            code = c.lib.kairos_simulate_batch(at, byref(batch), byref(rows), byref(status))
            result = Result(name, rows.value, status.value if rows.value else code, settings)
        if code == c.OK:
            return result
        messages = result.messages or take_session_messages(self._session)
        result._messages = messages
        raise error_of(code, messages, result)

    def simulate_many(self, parameters: Mapping[str, Any] | None = None, /, *,
                      jobs: int | None = None, start: float | None = None,
                      stop: float | None = None, intervals: int | None = None,
                      tolerance: float | None = None, solver: str | None = None,
                      events: bool = False, progress: bool | None = None, errors: str = "raise",
                      options: Mapping[str, Any] | None = None, **values: Any) -> Runs:
        """Runs the model for each element of the given sequences, `jobs` at a time.

        All sequences have the same length; other values are common to all runs. errors="keep"
        keeps runs that fail, with their rows up to the failure, their status and error; "raise"
        raises the error of the first of them, after all have run. progress shows a bar; by default
        in a terminal or a notebook, after half a second.
        """
        if errors not in ("raise", "keep"):
            raise ValueError("errors is 'raise' or 'keep'")
        given = {**(parameters or {}), **values}
        varied = {n: np.asarray(v, dtype=float) for n, v in given.items()
                  if not isinstance(v, str) and np.ndim(v) == 1}
        common = {n: v for n, v in given.items() if n not in varied}
        lengths = {len(v) for v in varied.values()}
        if len(lengths) != 1:
            raise ValueError("give at least one sequence" if not lengths else
                             f"the sequences have different lengths: {sorted(lengths)}")
        n = lengths.pop()
        own = {"start": start, "stop": stop, "intervals": intervals, "tolerance": tolerance,
               "solver": solver, **(options or {})}
        run, keep = self._run(common, own)
        names = (c_char_p * len(varied))(*(name.encode() for name in varied))
        table = np.ascontiguousarray(np.column_stack(list(varied.values())))
        rows, status = np.zeros(n, dtype=np.uintp), np.full(n, c.INTERRUPTED, dtype=np.intc)
        batch = c.Batch(size=_BATCH_SIZE, run=pointer(run), n=n, names=names,
                        n_names=len(varied), values=table.ctypes.data_as(POINTER(c_double)),
                        jobs=jobs or 0, events=events)
        name = self.name
        try:
            self._run_batch(batch, rows, status, progress)
        finally:  # results own their rows
            results = [Result(name, address, code, common, varied, i)
                       for i, (address, code) in enumerate(zip(rows.tolist(), status.tolist()))]
        for result in results if errors == "raise" else ():
            if not result.ok:
                messages = result.messages or take_session_messages(self._session)
                raise error_of(result.status, messages, result)
        return Runs(results, varied)

    def _run_batch(self, batch: c.Batch, rows: np.ndarray, status: np.ndarray,
                   progress: bool | None) -> None:
        bar = _Bar(len(status), c.is_shown() if progress is None else progress)
        try:
            _signals.call(self._session, c.lib.kairos_simulate_batch, self._at, byref(batch),
                          rows.ctypes.data, status.ctypes.data,
                          watch=lambda: bar.show(int(np.count_nonzero(status != c.INTERRUPTED))))
        finally:
            bar.close()

    def instance(self, parameters: Mapping[str, Any] | None = None, /, *,
                 start: float | None = None, stop: float | None = None,
                 tolerance: float | None = None, solver: str | None = None,
                 options: Mapping[str, Any] | None = None, **values: Any) -> Instance:
        """The model in time, to be advanced step by step."""
        own = {"start": start, "stop": stop, "tolerance": tolerance, "solver": solver,
               **(options or {})}
        run, keep = self._run({**(parameters or {}), **values}, own)
        run.on_progress = self._watch
        handle = c.lib.kairos_create_instance(self._at, byref(run))
        if not handle:
            raise error_of(c.USE_ERROR, take_session_messages(self._session))
        return Instance(self, handle, (run, keep))

    def _analysis(self, parameters: Mapping[str, Any] | None, values: Mapping[str, Any],
                  start: float | None, stop: float | None, tolerance: float | None,
                  solver: str | None, options: Mapping[str, Any] | None
                  ) -> tuple[c.Run, list[Any]]:
        own = {"start": start, "stop": stop, "tolerance": tolerance, "solver": solver,
               **(options or {})}
        return self._run({**(parameters or {}), **values}, own)

    def linearize(self, parameters: Mapping[str, Any] | None = None, /, *,
                  at: float | str | Sequence[float | str] | None = None,
                  period: float | None = None, average: bool = False, pade: int = 4,
                  start: float | None = None, stop: float | None = None,
                  tolerance: float | None = None, solver: str | None = None,
                  options: Mapping[str, Any] | None = None, **values: Any
                  ) -> analyses.LinearModel | list[analyses.LinearModel]:
        """The linear model at a time, at "end" or at a "steady" state; a list for several points.

        Sampled systems and periodic steady states have a discrete model with its `period`;
        `average` takes means over the period as outputs. `pade` is the order of the
        approximations that replace delays.
        """
        run, keep = self._analysis(parameters, values, start, stop, tolerance, solver, options)
        return analyses.linearize(self, run, at, period, average, pade)

    def steady(self, parameters: Mapping[str, Any] | None = None, /, *,
               period: float | None = None, orbit: str | os.PathLike[str] | None = None,
               start: float | None = None, stop: float | None = None,
               tolerance: float | None = None, solver: str | None = None,
               options: Mapping[str, Any] | None = None, **values: Any) -> analyses.Steady:
        """An equilibrium, or a periodic steady state, one period of which goes to `orbit`."""
        run, keep = self._analysis(parameters, values, start, stop, tolerance, solver, options)
        return analyses.steady(self, run, period, orbit)

    def sensitivities(self, of: Sequence[str], to: Sequence[str],
                      parameters: Mapping[str, Any] | None = None, /, *,
                      start: float | None = None, stop: float | None = None,
                      tolerance: float | None = None, solver: str | None = None,
                      options: Mapping[str, Any] | None = None, **values: Any
                      ) -> analyses.Sensitivities:
        """Derivatives of the variables `of` by the parameters and start values `to`."""
        run, keep = self._analysis(parameters, values, start, stop, tolerance, solver, options)
        return analyses.sensitivities(self, run, of, to)

    def fit(self, data: Any, parameters: Sequence[str], set: Mapping[str, Any] | None = None, /, *,
            bounds: Mapping[str, tuple[float | None, float | None]] | None = None,
            weights: str | Mapping[str, float] | None = None,
            noise: Mapping[str, float] | None = None, search_box: bool = False,
            most: int | None = None, confidence: float = 0.95, jobs: int | None = None,
            report: str | os.PathLike[str] | None = None, start: float | None = None,
            tolerance: float | None = None, solver: str | None = None,
            options: Mapping[str, Any] | None = None, **values: Any) -> analyses.Fit:
        """Fits parameters and start values to measured data.

        data: a file, columns by name ("time" among them), or a list of these. weights: "units",
        "equal", "noise", or factors by column. search_box: first search the whole box of the
        bounds. A search that does not converge returns its best result, with another status.
        """
        run, keep = self._analysis(set, values, start, None, tolerance, solver, options)
        return analyses.fit(self, run, data, parameters, bounds, weights, noise, search_box, most,
                            confidence, jobs, report)

    def optimize(self, minimize: str, over: Mapping[str, tuple[float, float]],
                 set: Mapping[str, Any] | None = None, /, *,
                 subject_to: str | Sequence[str] = (), search_box: bool = False,
                 most: int | None = None, start: float | None = None, stop: float | None = None,
                 tolerance: float | None = None, solver: str | None = None,
                 options: Mapping[str, Any] | None = None, **values: Any) -> analyses.Optimum:
        """The values of parameters within bounds for which an expression over a run is least.

        Expressions are those of studies: "end(x)", "max(x)", "time(h <= 0)". subject_to: relations
        between them. A search that does not converge returns its best result, with its status.
        """
        run, keep = self._analysis(set, values, start, stop, tolerance, solver, options)
        return analyses.optimize(self, run, minimize, over, subject_to, search_box, most)


class _Bar:
    """Progress of many runs: tqdm if it is installed, otherwise a line in the terminal."""

    def __init__(self, n: int, shown: bool):
        self.n, self.begin, self.bar, self.drawn = n, time.monotonic(), None, False
        self.shown = shown

    def show(self, done: int) -> None:
        if not self.shown or time.monotonic() - self.begin < 0.5:
            return
        if self.bar is None and not self.drawn:
            try:
                from tqdm.auto import tqdm
                self.bar = tqdm(total=self.n, unit="run")
            except ImportError:
                pass
        if self.bar is not None:
            self.bar.update(done - self.bar.n)
        else:
            self.drawn = True
            print(f"\r{done} of {self.n} runs", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.update(self.n - self.bar.n)
            self.bar.close()
        elif self.drawn:
            print(file=sys.stderr)
