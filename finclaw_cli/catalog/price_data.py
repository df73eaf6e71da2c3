"""Names and version of the price data: the copy in genai-prices, never the network."""

from __future__ import annotations

import os
import re
from functools import cache
from importlib.machinery import PathFinder
from pathlib import Path

LIBRARY, MODULE = "genai-prices", "genai_prices"
# The providers of one maker each, by its name in the price data.
# `openai-chat` is any server of that dialect: a model with a name of OpenAI's is assumed to be that model.
MAKERS = {"anthropic": "anthropic", "openai": "openai", "openai-responses": "openai", "openai-chat": "openai"}
_MODEL_NAME = re.compile(r"(?:~?[A-Za-z0-9]|@)[\w.:@/+-]*")
_FILE = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}\Z")


def is_model_name(model: str) -> bool:
    """Whether to look it up in the price data, which matches prefixes of names: a script's path could match."""
    return _MODEL_NAME.fullmatch(model) is not None and not _FILE.search(model)


@cache
def price_data_name() -> str:
    """The price data and its version, `genai-prices X.Y.Z`, without importing it."""
    return f"{LIBRARY} {_version_beside_it() or _version_by_metadata()}"


def _version_beside_it() -> str | None:
    """The version in the name of the library's metadata folder; None where there is not exactly one."""
    found = PathFinder.find_spec(MODULE)
    if found is None or found.origin is None:
        return None
    begin, end = f"{MODULE}-", ".dist-info"
    try:
        beside = os.listdir(Path(found.origin).parent.parent)  # noqa: PTH208 - names are enough
    except OSError:
        return None
    versions = [name[len(begin) : -len(end)] for name in beside if name.startswith(begin) and name.endswith(end)]
    return versions[0] if len(versions) == 1 else None


def _version_by_metadata() -> str:
    from importlib.metadata import version  # imported only here, as it takes long

    return version(LIBRARY)
