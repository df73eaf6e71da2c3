"""The columns of a file, found by the names that exports give them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

from finclaw_cli.sdk.render import bounded
from finclaw_cli.sdk.tabular.problems import FileProblem

_NOISE = re.compile(r"[\W_]+")
_SHOWN_CHARACTERS = 200


def column_key(name: str) -> str:
    """The name of a column as it is compared: lower case, letters and digits only."""
    return _key(name)


# Every profile compares every header.
@lru_cache(maxsize=4_096)
def _key(name: str) -> str:
    return _NOISE.sub("", unicodedata.normalize("NFC", name).casefold())


def match_columns(header: Sequence[str], names: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """The position of each role whose column is in the header.

    Of the names of a role, the first has precedence. Of two roles with the same column, the first one gets it.

    Args:
        header: the names in the file.
        names: for each role the names that its column may have.

    Raises:
        FileProblem: two columns have the name of a role.
    """
    keys = [column_key(cell) for cell in header]
    found: dict[str, int] = {}
    for role, accepted in names.items():
        key = next((key for key in map(column_key, accepted) if key and key in keys), None)
        if key is None:
            continue
        if keys.count(key) > 1:
            raise FileProblem(f"two columns are called '{bounded(header[keys.index(key)], _SHOWN_CHARACTERS)}'")
        if keys.index(key) not in found.values():
            found[role] = keys.index(key)
    return found


def missing_column(what: str, header: Sequence[str]) -> FileProblem:
    """The error for a column that a file must have."""
    return FileProblem(f"no {what} column among: {bounded(', '.join(header), _SHOWN_CHARACTERS)}")
