"""The declaration of a setting: all that is known of it beside its name and type, in one place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any, Literal

from finclaw_cli.core.record import record

HelpGroup = Literal["Question", "Model", "System prompt", "Tools and approvals", "Answer", "Limits", "Conversation"]
DECLARED = "declared"


@record(kw_only=True)
class Declaration:
    """What is declared of one setting."""

    description: str
    """A noun phrase, for the README, `config show`, help pages and `Agent`."""
    group: HelpGroup | None = None
    """Where help pages list the option of `finclaw run`; None: there is no option."""
    short: str | None = None
    """The short name of the option."""
    metavar: str | None = None
    completes: Literal["model", "tool"] | None = None
    project: Literal["no", "lower", "any"] = "no"
    """Whether a project's file may set it; a limit may only be lowered there."""
    guards: bool = False
    """Whether a variable that is nearly named like it is an error: it limits, protects, or sends data elsewhere."""
    terminal: bool = False
    """Whether it is about stdin, stdout or the terminal, and so no option of an `Agent`."""


def setting(default: object, description: str, **declared: Any) -> Any:
    """Declare a setting; a type as the default makes a new value for each.

    Args:
        default: the value where nothing else is set.
        description: see `Declaration`.
        **declared: the other fields of `Declaration`.
    """
    metadata = {DECLARED: Declaration(description=description, **declared)}
    if isinstance(default, type):
        make: Callable[[], object] = default
        return field(default_factory=make, metadata=metadata)
    return field(default=default, metadata=metadata)
