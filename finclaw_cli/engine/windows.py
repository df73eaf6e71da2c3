"""How large the windows of models are, as a run asks for it."""

from __future__ import annotations

from typing import Protocol

from finclaw_cli.catalog.windows import ASSUMED, ASSUMED_ELSEWHERE, Window
from finclaw_cli.engine.request import ModelRef


class Windows(Protocol):
    """How large windows are. `known` costs nothing and may not know; `of` looks it up and always returns a value.

    `most_output` is how many tokens a model can answer with, where that is known.
    """

    def known(self, ref: ModelRef) -> Window | None: ...

    def of(self, ref: ModelRef) -> Window: ...

    def most_output(self, ref: ModelRef) -> int | None: ...


class NoWindows:
    """No window is known."""

    def known(self, ref: ModelRef) -> Window | None:  # noqa: ARG002
        return None

    def of(self, ref: ModelRef) -> Window:  # noqa: ARG002
        return Window(ASSUMED_ELSEWHERE, ASSUMED)

    def most_output(self, ref: ModelRef) -> int | None:  # noqa: ARG002
        return None
