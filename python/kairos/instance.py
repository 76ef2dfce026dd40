"""A model in time, step by step."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Mapping, Sequence
from ctypes import c_double, c_int
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _library as c
from .errors import error_of, take_session_messages

if TYPE_CHECKING:
    from .model import Model


class State(bytes):
    """A complete saved state. It is valid in other processes, for the same model and options."""

    def __repr__(self) -> str:
        return f"<kairos.State of {len(self)} bytes>"

    __str__ = __repr__


class Instance:
    """Advances a model from your own program: set values, initialize, advance, read.

    `x["e"] = 0.5` sets a parameter, an input, a state or a discrete variable. Before the
    initialization it also sets start values; after it, it takes effect in an event at the present
    time, at the next advance.
    """

    def __init__(self, model: "Model", handle: int, keep: Any):
        self.model = model
        self._owned: c.Owned | None = c.Owned(c.lib.kairos_free_instance, handle, model._owned)
        self._keep = keep  # memory that the library refers to
        self._variables: dict[str, int] = {}

    @property
    def _at(self) -> int:
        if self._owned is None or self.model._owned is None:
            raise ValueError("the instance is closed")
        return self._owned.address

    def _check(self, status: int) -> None:
        if status != c.OK:
            raise error_of(status, take_session_messages(self.model._session))

    def close(self) -> None:
        """Frees the instance; further calls are errors."""
        self._owned = None

    def __enter__(self) -> "Instance":
        return self

    def __exit__(self, *reason: Any) -> None:
        self.close()

    def initialize(self) -> "Instance":
        with self.model._interruptible():
            status = c.lib.kairos_initialize_instance(self._at)
        self._check(status)
        return self

    def advance(self, time: float, stop_at_event: bool = False) -> float:
        """Goes to `time`, or only to the first event on the way. Returns the time reached."""
        with self.model._interruptible():
            status = c.lib.kairos_advance_instance(self._at, time, stop_at_event)
        self._check(status)
        return self.time

    @property
    def time(self) -> float:
        return c.lib.kairos_instance_time(self._at)

    @property
    def terminated(self) -> bool:
        """Whether the model called terminate()."""
        return bool(c.lib.kairos_instance_terminated(self._at))

    @property
    def n_events(self) -> int:
        return c.lib.kairos_count_events(self._at)

    @property
    def last_event(self) -> dict[str, Any] | None:
        text = c.lib.kairos_last_event(self._at)
        return json.loads(text) if text else None

    def _numbers(self, names: Sequence[str]) -> ctypes.Array:
        for name in names:
            if name not in self._variables:
                number = c.lib.kairos_find_variable(self._at, name.encode())
                if number < 0:
                    raise KeyError(f"{self.model.name} has no variable '{name}'")
                self._variables[name] = number
        return (c_int * len(names))(*(self._variables[name] for name in names))

    def get(self, names: Sequence[str]) -> np.ndarray:
        """The values of several variables at the present time."""
        out = np.empty(len(names))
        pointer = out.ctypes.data_as(ctypes.POINTER(c_double))
        self._check(c.lib.kairos_get_values(self._at, self._numbers(names), len(names), pointer))
        return out

    def set(self, values: Mapping[str, float]) -> None:
        """Sets several variables at once."""
        numbers = (c_double * len(values))(*(float(v) for v in values.values()))
        self._check(c.lib.kairos_set_values(self._at, self._numbers(list(values)), len(values),
                                            numbers))

    def __getitem__(self, name: str) -> float:
        return float(self.get([name])[0])

    def __setitem__(self, name: str, value: float) -> None:
        self.set({name: value})

    def save(self) -> State:
        """The complete state. The solver restarts here, as after an event."""
        size = ctypes.c_size_t()
        address = c.lib.kairos_save_state(self._at, size)
        if not address:
            raise error_of(c.FAILED, take_session_messages(self.model._session))
        try:
            return State(ctypes.string_at(address, size.value))
        finally:
            c.lib.kairos_free_state(address)

    def restore(self, state: bytes) -> "Instance":
        self._check(c.lib.kairos_restore_state(self._at, bytes(state), len(state)))
        return self

    def clone(self) -> "Instance":
        """Another instance in the same state."""
        handle = c.lib.kairos_clone_instance(self._at)
        if not handle:
            raise error_of(c.FAILED, take_session_messages(self.model._session))
        return Instance(self.model, handle, self._keep)

    def reset(self) -> "Instance":
        """Back to before the initialization; values that were set before it stay."""
        self._check(c.lib.kairos_reset_instance(self._at))
        return self

    def __repr__(self) -> str:
        if self._owned is None or self.model._owned is None:
            return "<kairos.Instance, closed>"
        return f"<kairos.Instance of {self.model.name} at time {self.time:g}>"
