r"""The one function in front of every terminal: text from outside goes through it, whoever wrote it.

Escape sequences and control characters vanish; characters that are invisible or turn text around are shown as
`\u{..}`, so that a reader sees that they were there.
"""

from __future__ import annotations

import re

# CSI, then OSC/DCS/SOS/PM/APC up to their terminator (or the end), then other two-byte escapes; 7- and 8-bit forms.
_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*(?:[@-~]|$)"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c|$)"
    r"|\x1b[ -/]*(?:[0-~]|$)"
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\x1b]")
_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_NEEDS_WORK = re.compile(f"{_CONTROLS.pattern}|{_HIDDEN.pattern}|[\ud800-\udfff]")


def clean(text: str) -> str:
    """Make text safe for a terminal: no escapes, no controls but newline and tab, nothing invisible.

    The zero-width joiner (U+200D) and variation selectors stay: emoji and several scripts are written with them.
    Idempotent.
    """
    if not _NEEDS_WORK.search(text):
        return text
    text = _ESCAPES.sub("", text)
    text = _CONTROLS.sub("", text)
    text = _HIDDEN.sub(lambda found: f"\\u{{{ord(found.group()):x}}}", text)
    return text.encode("utf-8", "replace").decode("utf-8")


_KEPT_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def without_hidden(text: str) -> str:
    """Text as a model may read it: no escape sequences, no controls but newline, return and tab, nothing invisible.

    Unlike `clean`, it drops what is hidden instead of showing it. Idempotent.
    """
    if not _NEEDS_WORK.search(text):
        return text
    return _HIDDEN.sub("", _KEPT_CONTROLS.sub("", _ESCAPES.sub("", text)))


def clean_line(text: str) -> str:
    """The same for what must stay on one line: tabs and newlines become spaces."""
    return clean(text).replace("\n", " ").replace("\t", " ")
