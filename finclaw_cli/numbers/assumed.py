"""The round amounts that an answer assumes, which need no source: `on a $50,000 position`."""

from __future__ import annotations

import re

from finclaw_cli.numbers.figure import Figure, Kind

_BEFORE = re.compile(
    r"(?:\b(?:on|per|for|with|invest(?:ed|ing)?|put)\s(?:a|an|every|each)?\s?|\bif\b.{0,30})$", re.IGNORECASE
)
_AFTER = re.compile(
    r"\s?(?:position|investment|portfolio|stake|invested|holding)\b|\s?[을를]?\s?투자(?:했|한|하|금|\s?시)|\s?(?:어치|당\b|기준)",
    re.IGNORECASE,
)
_FEW_DIGITS = 2


def is_round(figure: Figure) -> bool:
    """Whether a figure has few digits but zeros, as amounts of examples have."""
    return len(figure.value.normalize().as_tuple().digits) <= _FEW_DIGITS


def is_assumed(text: str, figure: Figure) -> bool:
    """Whether the text itself assumes a round amount."""
    if figure.kind is not Kind.MONEY or not is_round(figure):
        return False
    after = _AFTER.match(text, figure.end) is not None
    korean = any("가" <= sign <= "힣" for sign in text[figure.end : figure.end + 8])
    return after and (korean or _BEFORE.search(text[max(0, figure.start - 40) : figure.start]) is not None)
