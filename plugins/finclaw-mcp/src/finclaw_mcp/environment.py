"""What a server's process gets of the environment: little, and what its entry names."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping

from finclaw_cli.sdk import ToolError

PASSED = ("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "TZ", "TMPDIR")
"""Those of the protocol's own clients, and those by which programs choose language, time zone and folder."""
_PASSED_PREFIX = "LC_"
_REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
Lookup = Callable[[str], str | None]


def environment_of(own: Mapping[str, str], secret: Lookup) -> dict[str, str]:
    """The whole environment of a server's process.

    Args:
        own: the variables of its entry.
        secret: gives the value of a variable, or of a key in the keyring, by name; it is masked from then on.

    Raises:
        ToolError: a variable that an entry refers to is not set.
    """
    passed = {
        name: value
        for name, value in os.environ.items()
        if (name in PASSED or name.startswith(_PASSED_PREFIX)) and not value.startswith("()")
    }
    return passed | {name: expanded(value, secret) for name, value in own.items()}


def expanded(text: str, secret: Lookup) -> str:
    """The text with `${VAR}` and `${VAR:-default}` replaced.

    Raises:
        ToolError: a variable without a default is not set.
    """

    def value(found: re.Match[str]) -> str:
        name, default = found.group(1), found.group(2)
        known = secret(name)
        if known is None and default is None:
            raise ToolError(
                f"NOT_CONFIGURED: the variable {name} is not set, which the settings of the server refer to"
            )
        return known if known is not None else str(default)

    return _REFERENCE.sub(value, text)
