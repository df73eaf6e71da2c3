r"""The one function in front of every terminal: all text from outside goes through it.

Escape sequences and control characters vanish; characters that are invisible, turn text around, or look different on
every terminal are shown as `\u{..}`, so that a reader sees that they were there.
"""

from __future__ import annotations

import re
from functools import cache

# Compiled for the first text that needs them: most starts of the program see none.
# CSI, then OSC/DCS/SOS/PM/APC up to their terminator, another escape or the end, then other two-byte escapes; 7- and
# 8-bit forms. No alternative fails after a run of any length, so that each character is looked at once.
_ESCAPES = (
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*(?:[@-~]|$)"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*(?:[0-~]|$)"
)
_CONTROLS = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\x1b]"
# Invisible, or no characters at all: for readers and models alike.
_HIDDEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufdd0-\ufdef"
    "\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    + "".join(chr(plane * 0x10000 + 0xFFFE) + chr(plane * 0x10000 + 0xFFFF) for plane in range(1, 17))
)
# Text to a model, but of unknown looks on a terminal: signs that fonts draw around numbers and terminals give
# no room, and private characters, which look different in each font.
_UNSEEN = "\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd\ue000-\uf8ff\U000f0000-\U0010ffff"
# What joiners are written beside: letters from Arabic to Sinhala, Myanmar, Khmer, Mongolian; then emoji and symbols.
_LETTERS = (
    "\u0620-\u06dc\u06de-\u06ff\u0710-\u088f\u08a0-\u08e1\u08e3-\u0dff\u1000-\u109f\u1780-\u17b3\u17b6-\u17ff\u1820-\u18af"
    "\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc"
)
_SYMBOLS = "\u20e3\u2190-\u2bff\u3030\u303d\u3297\u3299\ufe0f\U0001f000-\U0001fbff"
_JOINERS = "\u200c\u200d"


def _idle(joiner: str, beside: str) -> str:
    """A joiner that joins nothing. At the end of a text one may: that may be a piece of a longer one."""
    before = rf"(?:(?<=[^{beside}]{joiner})|(?<=\d{joiner}))"
    return rf"{joiner}{before}(?:(?=[^{beside}])|(?=\d))"


@cache
def _idle_joiners() -> re.Pattern[str]:
    return re.compile(f"{_idle(_JOINERS[0], _LETTERS)}|{_idle(_JOINERS[1], _LETTERS + _SYMBOLS)}")


@cache
def _any_of(characters: str) -> re.Pattern[str]:
    return re.compile(f"[{characters}]")


_ASCII_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_SUSPECT = f"\x00-\x08\x0b-\x1f\x7f-\x9f{_HIDDEN}{_UNSEEN}{_JOINERS}\ud800-\udfff"


def _is_harmless(text: str) -> bool:
    return (_ASCII_CONTROLS if text.isascii() else _any_of(_SUSPECT)).search(text) is None


def clean(text: str) -> str:
    """Make text safe for a terminal: no escapes, no controls but newline and tab, nothing invisible.

    Variation selectors stay, and joiners where they join: emoji and several scripts are written with them. Idempotent.
    """
    if _is_harmless(text):
        return text
    text = re.sub(_ESCAPES, "", text)
    text = re.sub(_CONTROLS, "", text)
    text = _any_of(_HIDDEN + _UNSEEN).sub(_spelled, _idle_joiners().sub(_spelled, text))
    return text.encode("utf-8", "replace").decode("utf-8")


def _spelled(found: re.Match[str]) -> str:
    return f"\\u{{{ord(found.group()):x}}}"


_KEPT_CONTROLS = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"


def without_hidden(text: str) -> str:
    """Text as a model may read it: no escape sequences, no controls but newline, return and tab, nothing invisible.

    Unlike `clean`, it drops what is hidden instead of showing it. Idempotent.
    """
    if _is_harmless(text):
        return text
    text = re.sub(_KEPT_CONTROLS, "", re.sub(_ESCAPES, "", text))
    return _any_of(_HIDDEN).sub("", _idle_joiners().sub("", text))


def clean_line(text: str) -> str:
    """The same for what must stay on one line: tabs and newlines become spaces."""
    return clean(text).replace("\n", " ").replace("\t", " ")
