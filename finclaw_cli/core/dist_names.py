"""Names of distributions, and of tools by their distribution.

A distribution's name is compared in one form (PEP 503), however it is written.
"""

from __future__ import annotations

import re

# Providers take no longer name of a tool.
MAX_TOOL_NAME = 64
_SEPARATORS = re.compile(r"[-_.]+")


def dist_name(name: str) -> str:
    """The normalised name: lower case, with one hyphen for each run of hyphens, underscores and dots."""
    return _SEPARATORS.sub("-", name).lower()


def qualified_name(dist: str, tool: str) -> str:
    """The name of a tool that no other distribution's can have, as a model may be given it: `dist__tool`."""
    name = f"{_SEPARATORS.sub('_', dist).lower()}__{tool}"
    if len(name) <= MAX_TOOL_NAME:
        return name
    import hashlib

    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    return f"{name[: MAX_TOOL_NAME - 9]}_{digest}"
