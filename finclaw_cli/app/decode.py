"""Text in any encoding: UTF-8 first, then by a byte order mark, then the guess of a detector."""

from __future__ import annotations

import codecs
import re

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.record import record

MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
SAY_WHICH = "Name its encoding, e.g. --encoding cp1252 or --encoding cp949."
# Python's own codecs that are for no text, or take quadratic time.
_NOT_FOR_TEXT = frozenset({"idna", "punycode", "raw_unicode_escape", "undefined", "unicode_escape"})
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")
# A pound sign in Western Europe, a letter in Central Europe: a detector cannot tell which from so little.
_POUNDS = re.compile(rb"\xa3 ?[0-9]")
# Of so many characters of UTF-8 one that is damaged makes it no other encoding.
_SOUND_PER_DAMAGED = 10


@record(kw_only=True)
class Decoded:
    """A text, and the encoding that was detected, where nothing named it."""

    text: str
    detected: str | None = None


def checked_encoding(given: str) -> str:
    """The name of an encoding for text.

    Raises:
        UsageError: Python knows none of that name.
    """
    try:
        name = codecs.lookup(given).name
        b"ab".decode(name)
    except (LookupError, ValueError) as error:
        raise UsageError(f"--encoding {given!r}: there is no such encoding", hint=SAY_WHICH) from error
    if name in _NOT_FOR_TEXT:
        raise UsageError(f"--encoding {given!r}: it is not for text", hint=SAY_WHICH)
    return name


def decode(data: bytes, name: str, encoding: str | None) -> Decoded:
    """The text of a file or a stream.

    Args:
        data: its bytes.
        name: what it is called in errors.
        encoding: the encoding that it has; None where that is not known.

    Raises:
        UsageError: it is not text in that encoding; or it is binary, or no encoding fits it.
    """
    known = encoding or next((each for mark, each in MARKS if data.startswith(mark)), None)
    try:
        decoded = Decoded(text=data.decode(known or "utf-8-sig"))
    except UnicodeDecodeError as error:
        if known is not None:
            raise _not_text(f"{name} is not {known} text: see byte {error.start + 1:,}") from error
        decoded = _detected(data, name, error)
    if "\0" in decoded.text:
        if known is not None:
            raise _not_text(f"{name} is not {known} text: it has NUL characters")
        decoded = _detected(data, name, None)
    return decoded


def _detected(data: bytes, name: str, error: UnicodeDecodeError | None) -> Decoded:
    if error is not None and _is_damaged_utf8(data):
        raise _not_text(f"{name} is UTF-8 but for byte {error.start + 1:,}") from error
    import chardet

    excluded = ("cp1250",) if _POUNDS.search(data) else None
    found = chardet.detect(
        data,
        encoding_era=chardet.EncodingEra.MODERN_WEB,
        prefer_superset=True,
        compat_names=False,
        exclude_encodings=excluded,
    )["encoding"]
    try:
        text = data.decode(found or "ascii")
    except (UnicodeDecodeError, LookupError):
        text = "\0"
    if found in {None, "utf-8", "ascii"} or _CONTROLS.search(text):
        raise _not_text(f"{name} is not text: it is binary, or in an encoding that is not known")
    return Decoded(text=text, detected=found)


def _is_damaged_utf8(data: bytes) -> bool:
    text = data.decode("utf-8", "replace")
    damaged = text.count("\ufffd")
    sound = len(text) - len(text.encode("ascii", "ignore")) - damaged
    return sound > damaged * _SOUND_PER_DAMAGED


def _not_text(what: str) -> UsageError:
    return UsageError(what, hint=SAY_WHICH, code="bad_file")
