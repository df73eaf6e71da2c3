"""The command over one transport or the other."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from finclaw_cli.providers.config import TransportName
from tests.e2e.harness import Finclaw

Command = TypeVar("Command", bound=Finclaw)


def over(transport: TransportName, finclaw: Command) -> Command:
    """Have every run reach its provider by this transport."""
    return replace(finclaw, variables={**finclaw.variables, "FINCLAW_TRANSPORT": transport})
