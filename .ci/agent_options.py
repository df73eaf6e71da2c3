"""Make the keyword arguments of `finclaw_cli.Agent` that are settings, from their one declaration."""

from __future__ import annotations

from dataclasses import is_dataclass
from datetime import date
from decimal import Decimal
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

from finclaw_cli.core.checked import type_of
from finclaw_cli.settings.model import Settings, declarations

OTHERS = frozenset({"tools"})
"""Settings whose argument takes more than the setting does."""
HEAD = '''"""Settings as keyword arguments of an agent; made from `finclaw_cli.settings.model` by `.ci/generate.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Literal, TypedDict


class SettingOptions(TypedDict, total=False):
    """The settings of a run; times are seconds, money is USD. None counts as not given."""

'''


def setting_options() -> str:
    """The module's text."""
    lines = []
    for name, declared in declarations().items():
        if not declared.terminal and name not in OTHERS:
            lines.append(f"    {name}: {_accepted(type_of(Settings, name))} | None")
            lines.append(f'    """{_sentence(declared.description)}"""')
    return HEAD + "\n".join(lines) + "\n"


def _accepted(kind: Any) -> str:
    """What a program may pass for a declared type."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _accepted(inner[0])
    if origin is Literal:
        return f"Literal[{', '.join(map(_quoted, inner))}]"
    if NoneType in inner:
        return _accepted(next(each for each in inner if each is not NoneType))
    if origin is list:
        return "Sequence[str]"
    if origin is dict or is_dataclass(kind):
        return "Mapping[str, object]"
    return {Decimal: "Decimal | str", date: "date | str"}.get(kind, kind.__name__)


def _quoted(text: str) -> str:
    return f'"{text}"'


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
