"""Variables of the environment that look like finclaw's and are none."""

from __future__ import annotations

import difflib

from finclaw_cli.core.errors import UsageError
from finclaw_cli.settings.model import NAMES, PREFIX, TABLES, VARIABLES, declarations, variable

_CLOSE = 0.75


def unknown_variable(name: str) -> str:
    """Return what to say of a variable that no setting has.

    Raises:
        UsageError: it seems to mean a setting that limits or protects, or names a table of the settings file.
    """
    meant = name.removeprefix(PREFIX).lower()
    near = next(iter(difflib.get_close_matches(meant, NAMES, n=1, cutoff=_CLOSE)), None)
    if near is None and meant.startswith("budget_"):
        near = "budget"
    message = f"{name}: there is no such variable{_instead(near)}"
    if (near is not None and declarations()[near].guards) or meant in TABLES:
        raise UsageError(message, hint="Unset it, or see `finclaw config show` for all settings.")
    return f"{message}; it is ignored"


def _instead(near: str | None) -> str:
    if near is None:
        return ""
    if near in TABLES and variable(near) not in VARIABLES:
        return f"; [{near}] is a table of the settings file"
    return f"; did you mean {variable(near)}?"
