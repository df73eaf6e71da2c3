"""One text, read for masking: views of it that line up with the original, made once and shared by all detectors.

Nothing is ever re-serialised. Detectors look at views and name spans in them; the spans are carried back to the
original text, which is the only thing that is cut.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

MARK = "[REDACTED:"
# Stands for each character of what an earlier pass has masked: no digit, no letter, no space.
BARRIER = "\x01"

_MARKED = re.compile(r"\[REDACTED:[a-z0-9_]+\]")
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
# Characters that look like a digit, dash or space in print; one for one, so that positions stay.
_LOOKALIKES = {
    **{chr(0xFF10 + digit): str(digit) for digit in range(10)},
    **dict.fromkeys("\u00a0\u2007\u2009\u202f\u3000", " "),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\uff0d", "-"),
    "\uff1a": ":",
    "\u0130": "I",  # the one letter that becomes two when lowered
}
_CLASSES = bytes(
    ord("0") if chr(code).isdigit() else ord("A") if chr(code).isupper() else ord("a") if chr(code).isalpha() else code
    for code in range(128)
) + bytes(range(128, 256))
_SHAPES = _CLASSES.replace(b"_", b"a")
# For the vocabulary: every digit 0, and what stands between words, or is not ASCII, a space.
_WORDS = bytes(
    ord("0") if chr(code).isdigit() else ord(" ") if chr(code) in '?",:;{}[]()|<>=*`\t\r\n' else code
    for code in range(256)
)
_LETTERS = bytes(code if chr(code) in "abcdefghijklmnopqrstuvwxyz" else ord(" ") for code in range(256))
_ZEROS = str.maketrans("123456789", "0" * 9)
# More kinds of earlier masks than this are a trick, and replaced one by one.
_MOST_MARKS = 64
_LEFT, _RIGHT = 120, 40
# In pieces of this size numbers are looked for, and how far around them one may begin or end.
_PIECE, _AROUND = 256, 32


class Found(NamedTuple):
    """A span to mask, in the view; `quoted` when it is a bare JSON number, which becomes a string."""

    start: int
    end: int
    kind: str
    quoted: bool = False


class Reading:
    """A text and its views.

    Attributes:
        view: the text with lookalikes, JSON escapes and earlier masks made plain.
        low: the view in lower case.
        ascii: the view as bytes, with `?` for what is not ASCII.
        vocabulary: each different word of it once, digits written as 0: small, since texts repeat themselves.
        is_json: whether the text is one JSON value, or one a line, or the beginning of that.
    """

    def __init__(self, text: str, *, is_json: bool) -> None:
        self.text = text
        self.is_json = is_json
        self._starts: list[int] = [0]
        self._shifts: list[int] = [0]
        self.view = self._plain(text)
        self.low = self.view.lower()
        self.ascii = self.view.encode("ascii", "replace")
        self.words = frozenset(self.ascii.translate(_WORDS).split())
        self.vocabulary = b" ".join(self.words)
        self._low_vocabulary = self.vocabulary.lower()
        self._counted = self._quotes = 0
        self._string = (0, 0)

    @cached_property
    def shape(self) -> bytes:
        """The view as ASCII bytes with every digit `0`, every capital `A`, every other letter `a`."""
        return self.ascii.translate(_SHAPES)

    @cached_property
    def zeroed(self) -> str:
        """The text in lower case with every digit `0`: what stands around numbers repeats itself, numbers do not."""
        low = self.low.replace("s3:", "s\x02:").replace("s3/", "s\x02/")  # the one word with a digit that counts
        if low.isascii():
            return low.translate(_ZEROS)
        for digit in "123456789":  # faster than a table where not all is ASCII
            low = low.replace(digit, "0")
        return low

    def around(self, start: int, end: int) -> tuple[str, str]:
        """What stands on both sides of a number, digits as 0; as far as is ever needed."""
        zeroed = self.zeroed
        return zeroed[start - _LEFT if start > _LEFT else 0 : start], zeroed[end : end + _RIGHT]

    def has(self, word: str) -> bool:
        """Whether a word without spaces or digits, in lower case, is anywhere in the text."""
        if not word.isascii():
            return word in self.low
        return word in self._letters if word.isalpha() else word.encode() in self._low_vocabulary

    @cached_property
    def low_words(self) -> frozenset[str]:
        """Every different run of ASCII letters in the text, in lower case."""
        return frozenset(self._low_vocabulary.translate(_LETTERS).decode().split())

    @cached_property
    def _letters(self) -> str:
        return " ".join(self.low_words)

    @cached_property
    def _numbered(self) -> bytes:
        """The shape, blank where there is nothing that could be a number of six digits or more."""
        shape, pieces = self.shape, list[bytes]()
        for start in range(0, len(shape), _PIECE):
            around = shape[max(0, start - _AROUND) : start + _PIECE + _AROUND]
            piece = shape[start : start + _PIECE]
            pieces.append(piece if b"000000" in around.translate(None, b" .-") else bytes(len(piece)))
        return b"".join(pieces)

    def near_numbers(self, word: str, back: int, ahead: int, *, every: bool) -> Iterator[int]:
        """Where a word is that has the digits of a long number around it; the rest of the text is skipped.

        Unless `every` is asked for, of those that are in reach of each other the ones in the middle are left out.
        """
        low, numbered, size, position = self.low, self._numbered, len(word), 0
        while (position := low.find(word, position)) >= 0:
            digit = numbered.find(b"0", max(0, position - back))
            if digit < 0:
                return
            if digit <= position + ahead:
                yield position
                last = -1 if every else low.rfind(word, position + size, position + ahead + size)
                position = last if last >= 0 else position + size
            else:
                position = max(position + len(word), digit - ahead)

    def _plain(self, text: str) -> str:
        if MARK in text:
            text = _barred(text)
        if self.is_json and "\\" in text:
            text = self._unescaped(text)
        if text.isascii():
            return text
        for char, plain in _LOOKALIKES.items():
            if char in text:
                text = text.replace(char, plain)
        return text

    def _unescaped(self, text: str) -> str:
        text = text.replace("\\\\", "\x03\x03").replace('\\"', "  ").replace("\\n", " \n")
        text = text.replace("\\t", "  ").replace("\\r", "  ").replace("\\/", " /")
        return _ESCAPED.sub(self._character, text) if "\\u" in text else text

    def _character(self, escape: re.Match[str]) -> str:
        shift = self._shifts[-1]
        self._starts.append(escape.end() - shift - 5)
        self._shifts.append(shift + 5)
        char = chr(int(escape.group(1), 16))
        return " " if char < " " or char in '"\\' else char

    @property
    def is_aligned(self) -> bool:
        """Whether every position of the view is the same one in the text."""
        return len(self._starts) == 1

    def original(self, position: int) -> int:
        """Where a position of the view is in the text."""
        if self.is_aligned:
            return position
        return position + self._shifts[bisect_right(self._starts, position) - 1]

    def in_string(self, position: int) -> bool:
        """Whether a position is inside a string of JSON; exact, for quotes that are escaped are none here."""
        return self._is_odd(position + 1)

    def string_around(self, position: int) -> tuple[int, int]:
        """The span of the JSON string, without its quotes, that a position inside it belongs to."""
        first, last = self._string
        if not first <= position < last:  # one string can hold many numbers: looked for once
            first, last = self.view.rfind('"', 0, position + 1) + 1, self.view.find('"', position + 1)
            last = last if last >= 0 else len(self.view)  # of a beginning
            self._string = first, last
        return first, last

    def _is_odd(self, position: int) -> bool:
        """Whether an odd number of quotes is before a position; counted on from where it was asked last."""
        if position >= self._counted:
            self._quotes += self.view.count('"', self._counted, position)
        else:
            self._quotes -= self.view.count('"', position, self._counted)
        self._counted = position
        return self._quotes % 2 == 1


def _barred(text: str) -> str:
    marks = set(_MARKED.findall(text))
    if len(marks) > _MOST_MARKS:
        return _MARKED.sub(lambda found: BARRIER * len(found.group()), text)
    for mark in marks:
        text = text.replace(mark, BARRIER * len(mark))
    return text
