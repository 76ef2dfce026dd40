"""The functions of libkairos and the structs that kairos.h declares."""

from __future__ import annotations

import ctypes
import functools
import operator
import os
import sys
import sysconfig
from ctypes import (CFUNCTYPE, POINTER, c_char_p, c_double, c_int, c_size_t, c_uint, c_uint64,
                    c_void_p)
from pathlib import Path
from typing import Any, Iterator

OK, MODEL_ERROR, USE_ERROR, FAILED, INTERRUPTED = 0, 1, 2, 3, 130
TEXT, TEXT_COLOUR, JSON = 0, 1, 2
NAME = "libkairos.so.0"

TextFn = CFUNCTYPE(None, c_void_p, c_char_p)
ProgressFn = CFUNCTYPE(None, c_void_p, c_double, c_uint64, c_uint64)


class Setting(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("value", c_char_p)]


class Input(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("value", c_char_p)]


class Compile(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("compiler", c_char_p), ("emit_c", c_char_p),
                ("check_units", c_int), ("settings", POINTER(Setting)), ("n_settings", c_uint),
                ("expected", POINTER(Setting)), ("n_expected", c_uint),
                ("no_events", POINTER(c_char_p)), ("n_no_events", c_uint),
                ("inlined", POINTER(c_char_p)), ("n_inlined", c_uint)]


class Run(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("start_time", POINTER(c_double)),
                ("stop_time", POINTER(c_double)), ("intervals", c_uint), ("tolerance", c_double),
                ("solver", c_char_p), ("step", c_double), ("event_epsilon", c_double),
                ("structure", c_char_p), ("inlined", POINTER(c_char_p)), ("n_inlined", c_uint),
                ("accumulation", c_char_p), ("chattering", c_char_p), ("mixed", c_char_p),
                ("settings", POINTER(Setting)), ("n_settings", c_uint), ("unused", c_void_p),
                ("n_unused", c_uint), ("output", c_char_p), ("describe", c_int),
                ("variables", c_char_p), ("hide_protected", c_int), ("log", c_char_p),
                ("on_log", TextFn), ("on_event", TextFn), ("on_progress", ProgressFn),
                ("on_row", c_void_p), ("on_final", c_void_p), ("user", c_void_p),
                ("inputs", POINTER(Input)), ("n_inputs", c_uint), ("output_step", c_double),
                ("inline_method", c_char_p), ("saves", c_void_p), ("n_saves", c_size_t),
                ("resume", c_char_p), ("checkpoint", c_char_p), ("checkpoint_seconds", c_double),
                ("output_points", c_char_p), ("result_tolerance", c_double),
                ("on_profile", TextFn), ("on_messages", TextFn), ("seconds", c_double)]


class Batch(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("run", POINTER(Run)), ("n", c_size_t),
                ("names", POINTER(c_char_p)), ("n_names", c_uint), ("values", POINTER(c_double)),
                ("jobs", c_uint), ("events", c_int), ("on_done", c_void_p), ("user", c_void_p)]


class Linearize(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("at", POINTER(c_char_p)), ("n_at", c_uint),
                ("output", c_char_p), ("mat", c_char_p), ("script", c_char_p), ("bode", c_char_p),
                ("poles", c_char_p), ("period", c_double), ("average", c_int),
                ("pade_order", c_size_t)]


class Steady(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("period", c_double), ("output", c_char_p),
                ("orbit", c_char_p)]


class Sensitivities(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("of", POINTER(c_char_p)), ("n_of", c_uint),
                ("to", POINTER(c_char_p)), ("n_to", c_uint), ("output", c_char_p),
                ("times", POINTER(c_double)), ("n_times", c_size_t), ("on_row", c_void_p),
                ("user", c_void_p)]


class Range(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("low", c_double), ("high", c_double)]


class Number(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("value", c_double)]


class Fit(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("data", POINTER(c_char_p)), ("n_data", c_uint),
                ("parameters", POINTER(c_char_p)), ("n_parameters", c_uint),
                ("bounds", POINTER(Range)), ("n_bounds", c_uint), ("weighting", c_char_p),
                ("weights", POINTER(Number)), ("n_weights", c_uint), ("noise", POINTER(Number)),
                ("n_noise", c_uint), ("global", c_int), ("most", c_uint),
                ("confidence", c_double), ("jobs", c_uint), ("output", c_char_p),
                ("report", c_char_p), ("on_step", c_void_p), ("user", c_void_p)]


class Optimize(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("minimize", c_char_p), ("over", POINTER(Range)),
                ("n_over", c_uint), ("constraints", POINTER(c_char_p)), ("n_constraints", c_uint),
                ("global", c_int), ("most", c_uint), ("output", c_char_p),
                ("report", c_char_p)]


# name: (result, arguments). Text that the caller owns is c_void_p; take_text frees it.
FUNCTIONS = {
    "kairos_version": (c_char_p, []),
    "kairos_open": (c_void_p, []),
    "kairos_close": (None, [c_void_p]),
    "kairos_add_library": (None, [c_void_p, c_char_p]),
    "kairos_use_libraries": (None, [c_void_p]),
    "kairos_load_file": (c_int, [c_void_p, c_char_p]),
    "kairos_load_text": (c_int, [c_void_p, c_char_p, c_char_p, c_size_t]),
    "kairos_interrupt": (None, [c_void_p]),
    "kairos_render_messages": (c_void_p, [c_void_p, c_int]),
    "kairos_clear_messages": (None, [c_void_p]),
    "kairos_free_text": (None, [c_void_p]),
    "kairos_compile_model": (c_void_p, [c_void_p, c_char_p, POINTER(Compile)]),
    "kairos_compile_status": (c_int, [c_void_p]),
    "kairos_free_model": (None, [c_void_p]),
    "kairos_model_name": (c_char_p, [c_void_p]),
    "kairos_model_times": (None, [c_void_p, POINTER(c_double), POINTER(c_double)]),
    "kairos_describe_model": (c_void_p, [c_void_p]),
    "kairos_simulate_batch": (c_int, [c_void_p, POINTER(Batch), c_void_p, c_void_p]),
    "kairos_free_rows": (None, [c_void_p]),
    "kairos_rows_values": (c_void_p, [c_void_p, POINTER(c_size_t), POINTER(c_uint)]),
    "kairos_rows_name": (c_char_p, [c_void_p, c_uint]),
    "kairos_rows_events": (c_char_p, [c_void_p]),
    "kairos_rows_messages": (c_char_p, [c_void_p]),
    "kairos_linearize_model": (c_int, [c_void_p, POINTER(Run), POINTER(Linearize), c_void_p]),
    "kairos_steady": (c_int, [c_void_p, POINTER(Run), POINTER(Steady), c_void_p]),
    "kairos_sensitivities": (c_int, [c_void_p, POINTER(Run), POINTER(Sensitivities), c_void_p]),
    "kairos_fit_model": (c_int, [c_void_p, POINTER(Run), POINTER(Fit), c_void_p]),
    "kairos_optimize_model": (c_int, [c_void_p, POINTER(Run), POINTER(Optimize), c_void_p]),
    "kairos_create_instance": (c_void_p, [c_void_p, POINTER(Run)]),
    "kairos_free_instance": (None, [c_void_p]),
    "kairos_find_variable": (c_int, [c_void_p, c_char_p]),
    "kairos_set_values": (c_int, [c_void_p, POINTER(c_int), c_uint, POINTER(c_double)]),
    "kairos_initialize_instance": (c_int, [c_void_p]),
    "kairos_advance_instance": (c_int, [c_void_p, c_double, c_int]),
    "kairos_instance_time": (c_double, [c_void_p]),
    "kairos_instance_terminated": (c_int, [c_void_p]),
    "kairos_count_events": (c_uint64, [c_void_p]),
    "kairos_last_event": (c_char_p, [c_void_p]),
    "kairos_get_values": (c_int, [c_void_p, POINTER(c_int), c_uint, POINTER(c_double)]),
    "kairos_save_state": (c_void_p, [c_void_p, POINTER(c_size_t)]),
    "kairos_free_state": (None, [c_void_p]),
    "kairos_restore_state": (c_int, [c_void_p, c_char_p, c_size_t]),
    "kairos_clone_instance": (c_void_p, [c_void_p]),
    "kairos_reset_instance": (c_int, [c_void_p]),
}


def _places() -> Iterator[str]:
    """Where the library may be: named by the user, beside this package, where the system looks, in
    the folder in which the sources were built."""
    if named := os.environ.get("KAIROS_LIBRARY"):
        yield named
        return
    here = Path(__file__).resolve().parent
    multiarch = sysconfig.get_config_var("MULTIARCH") or ""
    for folder in (here, here.parents[2], here.parents[1]):
        for place in (folder / NAME, folder / multiarch / NAME):
            if place.exists():
                yield str(place)
    yield NAME
    built = [here.parents[1] / "build" / NAME]
    try:
        from ._built import PLACE
        built.append(Path(PLACE))
    except ImportError:
        pass
    yield from (str(place) for place in built if place.exists())


def _load() -> ctypes.CDLL:
    reasons = []
    for place in _places():
        try:
            library = ctypes.CDLL(place)
            for name, (result, arguments) in FUNCTIONS.items():
                function = getattr(library, name)
                function.restype, function.argtypes = result, arguments
            return library
        except (OSError, AttributeError) as error:
            reasons.append(f"{place}: {error}")
    raise ImportError(
        f"cannot load {NAME}: install the package libkairos0, or 'make install', or let the "
        "variable KAIROS_LIBRARY name the file\n  " + "\n  ".join(reasons))


lib = _load()


def version() -> str:
    """The version of the library."""
    return lib.kairos_version().decode()


def take_text(address: int | None) -> str:
    """The text at an address that the library gave us; frees it."""
    if not address:
        raise MemoryError("out of memory")
    try:
        return ctypes.string_at(address).decode("utf-8", "replace")
    finally:
        lib.kairos_free_text(address)


class Owned:
    """Something of the library, which is freed with this object, and before `after`.

    No instruction of Python runs then. In a method `__del__` written in Python, the exception of a
    signal's handler would be lost.
    """

    __slots__ = ("address", "after", "_free")
    __del__ = property(operator.attrgetter("_free"))

    def __init__(self, free: Any, address: int, after: "Owned | None" = None):
        self.address, self.after, self._free = address, after, functools.partial(free, address)


def settings_array(values: dict[str, str]) -> ctypes.Array:
    array = (Setting * max(len(values), 1))()
    for at, (name, value) in zip(array, values.items()):
        at.name, at.value = name.encode(), value.encode()
    return array


def in_main_thread() -> bool:
    import threading
    return threading.current_thread() is threading.main_thread()


def is_shown() -> bool:
    """Whether progress has a reader: a terminal or a notebook."""
    return "ipykernel" in sys.modules or sys.stderr.isatty()
