"""Names of distributions in the one form in which package indexes compare them (PEP 503)."""

from __future__ import annotations

import re

_SEPARATORS = re.compile(r"[-_.]+")


def dist_name(name: str) -> str:
    """The normalised name: lower case, with one hyphen for each run of hyphens, underscores and dots."""
    return _SEPARATORS.sub("-", name).lower()
