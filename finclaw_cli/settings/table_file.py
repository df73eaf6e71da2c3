"""Changing one table of the user's settings file, with everything else in it as it is, comments included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from finclaw_cli.core.errors import UsageError
from finclaw_cli.settings.change import settings_to_change


def write_table(where: Sequence[str], values: Mapping[str, object]) -> None:
    """Put a table into the settings file, in place of one of its name.

    Args:
        where: the names that lead to the table: `("mcp", "servers", "files")`.
        values: what is in it: texts, numbers, flags, lists and tables of them.

    Raises:
        UsageError: the file cannot be read or written, or would be no settings file any more.
    """
    import tomlkit

    with settings_to_change() as file:
        file.tables()
        document: Any = tomlkit.parse(file.text)
        *above, name = where
        at = document
        for each in above:
            at = at.setdefault(each, tomlkit.table(is_super_table=True))
            _require_table(at, each)
        at[name] = tomlkit.item(dict(values))
        file.replace(tomlkit.dumps(document))


def table_text(where: Sequence[str], values: Mapping[str, object]) -> str:
    """A table as it stands in a settings file, with the names that lead to it."""
    import tomlkit

    document: Any = tomlkit.document()
    *above, name = where
    at = document
    for each in above:
        at = at.setdefault(each, tomlkit.table(is_super_table=True))
    at[name] = tomlkit.item(dict(values))
    return str(tomlkit.dumps(document))


def remove_table(where: Sequence[str]) -> bool:
    """Remove a table from the settings file; return whether it was there.

    Raises:
        UsageError: as for `write_table`.
    """
    import tomlkit

    with settings_to_change() as file:
        file.tables()
        document: Any = tomlkit.parse(file.text)
        *above, name = where
        at = document
        for each in above:
            at = at.get(each, {})
            _require_table(at, each)
        if name not in at:
            return False
        del at[name]
        file.replace(tomlkit.dumps(document))
    return True


def _require_table(value: object, name: str) -> None:
    if not isinstance(value, dict):
        raise UsageError(f"the settings file has {name} as a value, where a table should be")
