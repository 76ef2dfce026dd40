"""Results of runs, as numpy arrays."""

from __future__ import annotations

import ctypes
import html
import json
from collections.abc import Mapping, Sequence
from typing import Any, Iterator, overload

import numpy as np

from . import _library as c
from .errors import Diagnostic, error_of, read_diagnostics


class _Rows(c.Owned):
    """Rows of the library; numpy reads their memory through this object and keeps it alive."""

    __slots__ = ()

    def __init__(self, address: int):
        super().__init__(c.lib.kairos_free_rows, address)

    def shape(self) -> tuple[int, int, int]:
        """Rows, columns, and the address of the values."""
        rows, columns = ctypes.c_size_t(), ctypes.c_uint()
        data = c.lib.kairos_rows_values(self.address, rows, columns)
        return rows.value, columns.value, data or 0

    @property
    def __array_interface__(self) -> dict[str, Any]:
        rows, columns, data = self.shape()
        return {"shape": (rows, columns), "typestr": "<f8", "data": (data, False), "version": 3}


class Result(Mapping[str, np.ndarray]):
    """The rows of one run: `r["h"]` and `r.time` are arrays. An event has two rows with the same
    time, before and after it."""

    def __init__(self, model: str, address: int | None, status: int,
                 common: Mapping[str, Any], varied: Mapping[str, np.ndarray] | None = None,
                 number: int = 0):
        self.model = model
        self.status = status
        self._common, self._varied, self._number = common, varied, number
        self._rows = _Rows(address) if address else None
        self._names: dict[str, int] | None = None
        self._events: list[dict[str, Any]] | None = None
        self._messages: list[Diagnostic] | None = None

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters and start values that were set."""
        own = {n: float(v[self._number]) for n, v in (self._varied or {}).items()}
        return {**self._common, **own}

    @property
    def values(self) -> np.ndarray:  # type: ignore[override]
        """All rows: time, then the variables in the order of `names`. Shares memory with the
        columns."""
        if self._rows is None or not self._rows.shape()[1]:
            return np.zeros((0, 1))
        return np.asarray(self._rows)

    def _columns(self) -> dict[str, int]:
        if self._names is None:
            n = self._rows.shape()[1] if self._rows else 0
            self._names = {c.lib.kairos_rows_name(self._rows.address, i).decode(): i
                           for i in range(n)}
        return self._names

    @property
    def names(self) -> list[str]:
        """The names of the variables, without time."""
        return list(self._columns())[1:]

    @property
    def time(self) -> np.ndarray:
        return self.values[:, 0]

    @property
    def ok(self) -> bool:
        """Whether the run reached its end."""
        return self.status == c.OK

    @property
    def error(self) -> BaseException | None:
        """The error that ended the run, or None."""
        return None if self.ok else error_of(self.status, self.messages, self)

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events: time, causes and changes of each instant (see docs/events.md). Empty if the
        run did not keep them."""
        if self._events is None:
            text = c.lib.kairos_rows_events(self._rows.address) if self._rows else b"[]"
            self._events = json.loads(text)
        return self._events

    @property
    def messages(self) -> list[Diagnostic]:
        """Warnings and errors of the run."""
        if self._messages is None:
            text = c.lib.kairos_rows_messages(self._rows.address) if self._rows else b"[]"
            self._messages = read_diagnostics(text.decode())
        return self._messages

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self.values[:, self._columns()[name]]
        except KeyError:
            raise KeyError(_unknown(name, self._columns())) from None

    def __contains__(self, name: object) -> bool:
        return name in self._columns()

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns())

    def __len__(self) -> int:
        return len(self._columns())

    def end(self, name: str) -> float:
        """The last value of a variable."""
        return float(self[name][-1])

    def at(self, time: float | np.ndarray, name: str) -> Any:
        """The value at a time, linear between rows; the right limit at an event."""
        t, x = self.time, self[name]
        right = np.clip(np.searchsorted(t, time, side="right"), 1, len(t) - 1)
        left = right - 1
        width = t[right] - t[left]
        part = np.where(width > 0, (np.asarray(time) - t[left]) / np.where(width > 0, width, 1), 1)
        return x[left] + np.clip(part, 0, 1) * (x[right] - x[left])

    def frame(self, names: Sequence[str] | None = None) -> Any:
        """A pandas.DataFrame with time as its index."""
        import pandas
        chosen = list(names) if names is not None else self.names
        return pandas.DataFrame({n: self[n] for n in chosen},
                                index=pandas.Index(self.time, name="time"))

    def plot(self, *names: str, axes: Any = None, events: bool = False) -> Any:
        """Draws variables over time with matplotlib, and returns the axes. Without names, draws
        the first variables."""
        from matplotlib import pyplot
        axes = axes if axes is not None else pyplot.subplots()[1]
        for name in names or self.names[:4]:
            axes.plot(self.time, self[name], label=name)
        for event in self.events if events else ():
            axes.axvline(event["time"], color="0.85", linewidth=0.8, zorder=0)
        axes.set_xlabel("time")
        axes.set_title(self.model)
        axes.legend(loc="best")
        return axes

    def __repr__(self) -> str:
        rows = len(self.values)
        end = f" to time {self.time[-1]:g}" if rows else ""
        return (f"<kairos.Result {self.model}: {rows} rows{end}, {len(self.names)} variables"
                f"{'' if self.ok else ', ' + _word(self.status)}>")

    def _repr_html_(self) -> str:
        lines = [f"<b>{html.escape(self.model)}</b>: {len(self.values)} rows, "
                 f"{len(self.events)} events{'' if self.ok else ', ' + _word(self.status)}"]
        if len(self.values):
            lines.append("<table><tr><th>variable</th><th>start</th><th>min</th><th>max</th>"
                         "<th>end</th></tr>")
            for name in self.names[:20]:
                x = self[name]
                lines.append(f"<tr><td>{html.escape(name)}</td>" + "".join(
                    f"<td>{v:.6g}</td>" for v in (x[0], np.nanmin(x), np.nanmax(x), x[-1])
                    ) + "</tr>" if not np.all(np.isnan(x)) else "")
            lines.append("</table>")
        return "\n".join(lines)


class Runs(Sequence[Result]):
    """The results of simulate_many, in the order of the values."""

    def __init__(self, results: list[Result], varied: dict[str, np.ndarray]):
        self._results = results
        self.varied = varied

    @overload
    def __getitem__(self, i: int) -> Result: ...
    @overload
    def __getitem__(self, i: slice) -> "Runs": ...

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return Runs(self._results[i], {k: v[i] for k, v in self.varied.items()})
        return self._results[i]

    def __len__(self) -> int:
        return len(self._results)

    @property
    def status(self) -> np.ndarray:
        return np.array([r.status for r in self._results])

    def end(self, name: str) -> np.ndarray:
        """The last value of a variable in each run; NaN for runs without rows."""
        return np.array([r.end(name) if len(r.values) else np.nan for r in self._results])

    def frame(self, *names: str) -> Any:
        """A pandas.DataFrame: one row for each run, with the varied values, the end values of the
        named variables, and the status."""
        import pandas
        columns: dict[str, Any] = dict(self.varied)
        columns.update((n, self.end(n)) for n in names)
        return pandas.DataFrame({**columns, "status": self.status})

    def plot(self, name: str, axes: Any = None) -> Any:
        """Draws one variable of all runs over time, and returns the axes."""
        from matplotlib import pyplot
        axes = axes if axes is not None else pyplot.subplots()[1]
        for r in self._results:
            if len(r.values):
                axes.plot(r.time, r[name], linewidth=0.8)
        axes.set_xlabel("time")
        axes.set_ylabel(name)
        return axes

    def __repr__(self) -> str:
        failed = int(np.count_nonzero(self.status))
        return f"<kairos.Runs: {len(self)} runs over {', '.join(self.varied)}, {failed} failed>"


def _word(status: int) -> str:
    return {c.FAILED: "failed", c.INTERRUPTED: "interrupted"}.get(status, "not run")


def _unknown(name: str, known: Mapping[str, int]) -> str:
    import difflib
    near = difflib.get_close_matches(name, list(known), 1)
    return f"no variable '{name}'" + (f"; did you mean '{near[0]}'?" if near else "")
