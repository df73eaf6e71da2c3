"""What stands around a number, and whether that leaves it to be private at all.

All of it is judged from two strings in which every digit is 0, so that verdicts can be remembered.
"""

from __future__ import annotations

import re
from functools import lru_cache

from finclaw_cli.masking.names import kind_of_name
from finclaw_cli.masking.reading import BARRIER

BEFORE = 64
AFTER = 40

_SENTENCE = re.compile(r"(?<!no)(?<!acct)(?<!acc)(?<!a/c)(?<!nr)(?<!num)(?<!\.)[.!?](?=\s)|。|\n\s*\n|\|\s*\n")
_TOLD_ABOVE = re.compile(r"[^\n0-9,|;\t]{2,40}\n[ \t\"'*`>-]{0,8}")
_CURRENCY = re.compile(
    r"(?:[$€£¥₩₹₽฿]|\b(?:usd|krw|eur|gbp|jpy|cny|cad|aud|chf|hkd|sgd|twd|inr|btc|eth|won|rs\.?))\s?[-+(]?$"
)
_HANGUL_END = r"(?=[을를이가은는의에도로으과와만]|[^가-힣]|$)"
_UNIT = re.compile(
    r"[^\S\n]?(?:krw|usd|eur|gbp|jpy|cny|cad|aud|chf|hkd|btc|eth|usdt|won|dollars?|euros?|pounds?|yen|yuan|cents?|shares?|units?|"
    r"contracts|ms|millis|milliseconds|microseconds|nanoseconds|seconds?|secs?|ns|us|wei|gwei|sats?|satoshis?|bps|bytes?|"
    r"customers|users|people|accounts|cards|holders|times|rows|records|entries|tokens|coins|barrels|tons|tonnes|"
    r"million|billion|trillion|mn|bn|tn|transactions|trades|orders|policies|subscribers|cardholders|accountholders|"
    r"bytes|kb|mb|gb)(?![a-z0-9])"
    rf"|[^\S\n]?(?:원|달러|주|엔|유로|위안|억|조|만|천|건|명|개|좌|배|초|밀리초|백만|장){_HANGUL_END}|[^\S\n]?[%€£¥₩$]"
)
_LOCATOR = re.compile(
    r"(?:https?|ftp|file|s\x02|git|ssh|wss?|mailto|urn|arn|doi)[:/][^\s\"'<>]*\Z|[a-z0-9\x02]/[^\s\"'<>|]*\Z"
)


# A pair before the one that a number is in: `id=7, ` of `Card(id=7, number=`.
_SAYS_NOTHING = frozenset(
    {"number", "numbers", "num", "no", "nr", "value", "val", "id", "checking", "savings", "primary"}
)
_PAIR = re.compile(r"(?<=[,;(\[{])\s?[\w가-힣.-]{1,40}[\"']?\s?[:=][^,;:=()\[\]{}]{0,80}[,;]")
_KEY_OF_LIST = re.compile(r"[,;(\[{]\s?[\"']?([\w가-힣.-]{1,40})[\"']?\s?[:=]\s?[\"'(\[{]{0,2}$")


def before(left: str, *, is_json: bool) -> str:
    """The words of the same sentence before a number; of the line above, if that is all it has."""
    segment = left[-BEFORE:]
    if is_json:
        segment = segment[segment.rfind('"') + 1 :]
    return _own_pair(_sentence(segment))


@lru_cache(maxsize=4096)
def _own_pair(segment: str) -> str:
    """Without the other pairs of a list in which a number has a key of its own."""
    key = _KEY_OF_LIST.search(segment)
    if not key:
        return segment
    if key.group(1) in _SAYS_NOTHING or kind_of_name(key.group(1)):
        return _PAIR.sub("", segment)
    return segment[key.start(1) :]


@lru_cache(maxsize=4096)
def _sentence(segment: str) -> str:
    cut = 0
    for found in _SENTENCE.finditer(segment):
        cut = found.end()
    segment = segment[cut:]
    line = segment.rfind("\n")
    if line < 0:
        return segment
    above = segment.rfind("\n", 0, line)
    if _TOLD_ABOVE.fullmatch(segment, above + 1):
        return segment[above + 1 :]
    return segment[line + 1 :]


def after(right: str, *, is_json: bool) -> str:
    """What follows a number."""
    segment = right[:AFTER]
    return segment.partition('"')[0] if is_json else segment


@lru_cache(maxsize=4096)
def nearest_part(segment: str) -> str:
    """What stands between the number before, or a mask, and this one."""
    last = 0
    for found in _LONG.finditer(segment):
        last = found.end()
    return segment[last:]


_LONG = re.compile(rf"[0-9]{{4,}}|[0-9][0-9 .,-]{{4,}}[0-9]|{BARRIER}+")


def has_clean_edges(left: str, right: str) -> bool:
    """Whether a number stands for itself: no part of a word, a longer number, a decimal, a percentage."""
    return _are_clean(left[-2:], right[:2])


@lru_cache(maxsize=4096)
def _are_clean(left: str, right: str) -> bool:
    if left and (_joins(left[-1]) or (left[-1] in ".-" and left[:-1].isdigit()) or left[-1] in "+@\\^~"):
        return False
    if not right:
        return True
    return not (
        _joins(right[0]) or right[0] in "%@" or (right[0] in ".-" and right[1:].isascii() and right[1:].isalnum())
    )


def _joins(char: str) -> bool:
    return (char.isascii() and (char.isalnum() or char == "_")) or char == BARRIER


def is_amount(left: str, right: str) -> bool:
    """Whether a number has a currency or a unit."""
    return _has_unit(left[-6:], right[:20])


@lru_cache(maxsize=4096)
def _has_unit(head: str, tail: str) -> bool:
    return bool(_CURRENCY.search(head) or _UNIT.match(tail))


def is_locator(left: str) -> bool:
    """Whether a number is part of an address, a path or a link."""
    return ("/" in left or ":" in left) and bool(_LOCATOR.search(left))


def is_path_segment(left: str) -> bool:
    """Whether a number is the beginning of a part of a path."""
    return left[-1:] == "/" and is_locator(left)


@lru_cache(maxsize=4096)
def stands_free(left: str, right: str) -> bool:
    """Whether a number stands for itself and is no part of an address."""
    return has_clean_edges(left, right) and not is_locator(left)
