"""The figures that were counted last, kept beside this module: `python -m tests.footprint` counts them again."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import BaseModel, ConfigDict

FILE = Path(__file__).with_name("figures.json")
YARDSTICKS = {"version": "python", "help": "typer", "tools-list": "typer", "run": "httpx2"}
"""The commands whose instructions are counted, and those of what they are held against."""
BAND = 0.1
"""How far a count may be from what was kept.

One interpreter counts the same again, to a millionth; CPython 3.11.2, 3.11.7 and 3.13.0 differ by 7 % at most.
"""
FEW = 5
"""So many modules more or less are never held against anybody."""


class Modules(BaseModel):
    model_config = ConfigDict(extra="forbid")

    own: int
    other: int
    packages: list[str]


class Figures(BaseModel):
    model_config = ConfigDict(extra="forbid")

    modules: dict[str, Modules]
    instructions: dict[str, float]
    """By command, over those of its yardstick."""


def kept() -> Figures:
    return Figures.model_validate_json(FILE.read_text(encoding="utf-8"))


def keep(figures: Figures) -> None:
    FILE.write_text(json.dumps(figures.model_dump(), indent=2) + "\n", encoding="utf-8")


def is_near(counted: float, figure: float, *, few: float = 0) -> bool:
    """Whether a count is about what was kept; far less also is a change that somebody should have meant."""
    return abs(counted - figure) <= max(figure * BAND, few)
