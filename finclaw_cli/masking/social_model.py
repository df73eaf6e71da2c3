"""How likely a number of nine digits is a social security number, by a linear model of the words around it.

The rules of `social` read the words that name a number. Where these are not the last ones before it ("you asked for my
social, here it is"), words count by how often they stood beside such numbers in the texts of `tests/masking`, and not
beside other ones. The weights are those of a logistic regression, which `.ci/social_weights.py` computes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path

from finclaw_cli.masking.people import is_english, is_name
from finclaw_cli.masking.social_nouns import KOREAN_FAMILY

_BEFORE, _AFTER = 400, 120
_NEAR, _NEXT, _PAIRS = 24, 12, (10, 6)
_TOKEN = re.compile(r"[^\W\d_]+(?:'[a-z]+)?|[0-9]+|[^\w\s]")
# Numbers of the same form, and what an earlier pass has masked, are one word.
_NUMBER = re.compile(r"(?<![0-9])[0-9]{3}[- .]?[0-9]{2}[- .]?[0-9]{4}(?![0-9])|\x01+")
_CAPITALISED = re.compile(r"\b[A-Z][a-z]+\b")
_DELIMITERS = ",\t|;"
_MOST_NAMES, _KOREAN_NAME = 3, 3
_NAME = "<name>"
# The weight of what is always there.
BIAS = "bias"

Feature = tuple[str, float]


def log_odds(text: str, start: int, end: int) -> float:
    """The logarithm of the odds that the number at a span of a text is a social security number."""
    weights = _weights()
    return weights[BIAS] + sum(weights.get(name, 0.0) * value for name, value in features(text, start, end))


def features(text: str, start: int, end: int) -> Iterator[Feature]:
    """What the model knows of a number: the words around it, each with where it stands and how near that is."""
    left, right = _left(text, start), text[end : end + _AFTER]
    above, break_, line = left.rpartition("\n")
    before, after = _tokens(left), _tokens(right)
    separator = "-" if "-" in text[start:end] else text[start + 3].strip("0123456789")
    yield f"form {separator}", 1.0
    for index, token in enumerate(reversed(before[-_NEAR:])):
        yield f"before {token}", 1 / (1 + 0.15 * index)
    for index, token in enumerate(after[:_NEXT]):
        yield f"after {token}", 1 / (1 + 0.2 * index)
    for first, second in pairwise(before[-_PAIRS[0] :]):
        yield f"before {first} {second}", 1.0
    for first, second in pairwise(after[: _PAIRS[1]]):
        yield f"after {first} {second}", 1.0
    for token in {*_tokens(line)}:
        yield f"line {token}", 1.0
    for token in {*before}:
        yield f"above {token}", 0.5
    yield from _layout(line, right.partition("\n")[0], left.rstrip()[-1:], separator)
    yield from _lines_above((above + break_).splitlines(), line)


def _left(text: str, start: int) -> str:
    """The text before a number, from the beginning of a line or, where one is longer, from within it."""
    first = max(0, start - _BEFORE)
    line = text.find("\n", first - 1, start) + 1 if first else 0
    return text[max(first, line) : start]


def _layout(line: str, tail: str, last: str, separator: str) -> Iterator[Feature]:
    """Where in its line the number stands, and what directly before it."""
    is_first, is_last = not line.strip(), not tail.strip()
    yield f"begins {is_first}", 1.0
    yield f"ends {is_last}", 1.0
    if is_first and is_last:
        yield "alone", 1.0
    yield f"names {min(len(_CAPITALISED.findall(line)), _MOST_NAMES)}", 0.7
    if last and not last.isalnum():
        yield f"mark {last}{separator}", 1.0


def _lines_above(lines: list[str], line: str) -> Iterator[Feature]:
    """The words of the first and of the last line above, and of the header of the column that the number is in."""
    if not lines:
        return
    for token in {*_tokens_of_line(lines[0])}:
        yield f"first {token}", 0.7
    for token in {*_tokens_of_line(lines[-1])}:
        yield f"previous {token}", 0.7
    for delimiter in _DELIMITERS:
        cells, column = lines[0].split(delimiter), line.count(delimiter)
        if len(cells) > 2 and column < len(cells):  # noqa: PLR2004 - fewer are a sentence with a comma
            for token in _tokens_of_line(cells[column]):
                yield f"header {token}", 1.0


def _tokens(text: str) -> tuple[str, ...]:
    """The words, marks and numbers of a text; of a number only its length."""
    first, *lines = text.split("\n")
    tokens = [*_tokens_of_line(first)]
    for line in lines:
        tokens.append("¶")
        tokens += _tokens_of_line(line)
    return tuple(tokens)


@lru_cache(maxsize=256)
def _tokens_of_line(line: str) -> tuple[str, ...]:
    """The tokens of a line, kept for the other numbers that stand near it."""
    return tuple(map(_token, _TOKEN.findall(_NUMBER.sub(" № ", line))))


def _token(word: str) -> str:
    if "0" <= word[0] <= "9":
        return f"#{min(len(word), 9)}"
    low = word.lower()
    is_usual = word[0].isupper() and is_name(low) and not is_english(low)
    return _NAME if is_usual or (word[0] in KOREAN_FAMILY and len(word) == _KOREAN_NAME) else low


@cache
def _weights() -> dict[str, float]:
    """The weight of each feature, read when the first number of that form was found."""
    lines = Path(__file__).with_name("social_model.txt").read_text("utf-8").split("\n")
    rows = (line.rpartition("\t") for line in lines if line and not line.startswith("# "))
    return {name: int(weight) / 100 for name, _, weight in rows}
