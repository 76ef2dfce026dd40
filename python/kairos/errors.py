"""Exceptions, and the diagnostics that they carry."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import _library as c

if TYPE_CHECKING:
    from .result import Result


@dataclass(frozen=True)
class Diagnostic:
    """One message: `kairos explain CODE` explains its code."""

    severity: str
    code: str
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    notes: tuple[str, ...] = field(default=())

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file and self.line else ""
        notes = "".join(f"\n  note: {note}" for note in self.notes)
        return f"{place}{self.severity}[{self.code}]: {self.message}{notes}"


class KairosError(Exception):
    """An error that Kairos reports; `diagnostics` has all its messages."""

    def __init__(self, diagnostics: list[Diagnostic], result: "Result | None" = None):
        self.diagnostics = diagnostics
        self.result = result
        errors = [d for d in diagnostics if d.severity == "error"] or diagnostics
        super().__init__("\n".join(str(d) for d in errors) or "unknown error")


class ModelError(KairosError):
    """The model is in error."""


class UseError(KairosError, ValueError):
    """The call is in error: a file, an option, a name."""


class SimulationError(KairosError):
    """The simulation failed numerically; `result` has the rows up to then."""


CLASSES: dict[int, type[KairosError]] = {c.MODEL_ERROR: ModelError, c.USE_ERROR: UseError,
                                         c.FAILED: SimulationError}


def read_diagnostics(text: str) -> list[Diagnostic]:
    """Diagnostics of JSON text, as kairos_render_messages writes it."""
    def one(d: dict[str, Any]) -> Diagnostic:
        notes = tuple(n["message"] if isinstance(n, dict) else str(n) for n in d.get("notes", ()))
        return Diagnostic(d.get("severity", "error"), d.get("code", ""), d.get("message", ""),
                          d.get("file"), d.get("line"), d.get("column"), notes)
    return [one(d) for d in json.loads(text)]


def take_session_messages(session: int) -> list[Diagnostic]:
    """The messages of a session, which forgets them."""
    found = read_diagnostics(c.take_text(c.lib.kairos_render_messages(session, c.JSON)))
    c.lib.kairos_clear_messages(session)
    return found


def error_of(status: int, diagnostics: list[Diagnostic], result: "Result | None" = None
             ) -> BaseException:
    """The exception for a status other than OK."""
    if status == c.INTERRUPTED:
        return KeyboardInterrupt()
    return CLASSES.get(status, KairosError)(diagnostics, result)
