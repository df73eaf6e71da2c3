"""Secrets that are known by what stands before them: `password=`, `API key:`, `Bearer`, `비밀번호는`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from finclaw_cli.masking.reading import BARRIER, Found, Reading
from finclaw_cli.masking.values import is_path, is_reference

_OPEN = r"[\"'*`]{0,3}"
_VALUE = r"[\"'`]{0,2}(?P<value>[^\s\"'`,;&<>=\x01][^\s\"'`,;&<>\x01]{5,400}+)"
_JOINT = rf"{_OPEN}(?:\s{{0,6}}[:=]\s{{0,6}}|\sis:?\s|\s(?=[\"'`])){_VALUE}"
# In Korean a particle may say it, and what follows the secret may be written to it.
_KOREAN_VALUE = r"[\"'`]{0,2}(?P<value>(?![,;&<>=])[!#-%(-+\-.-:=?-_a-~]{6,400}+)"
_KOREAN = rf"{_OPEN}(?:\s{{0,6}}[:=]\s{{0,6}}|(?:는|은|이|가)\s{{1,3}}){_KOREAN_VALUE}"
_KOREAN_BARE = rf"{_OPEN}(?:\s{{0,6}}[:=]\s{{0,6}}|(?:는|은|이|가)?\s{{1,3}}){_KOREAN_VALUE}"
# What goes before keys that are no secrets: of tables, of caches, of pages.
_HARMLESS = (
    "public",
    "primary",
    "foreign",
    "partition",
    "sort",
    "cache",
    "idempotency",
    "order",
    "group",
    "start",
    "next",
)
_UNLESS_HARMLESS = "".join(f"(?<!{word})" for word in _HARMLESS)


class Name(NamedTuple):
    """A word that is in the name of a secret; what the name has around it, and how its value follows."""

    word: str
    kind: str
    head: re.Pattern[str]
    tail: re.Pattern[str]
    unmistakable: bool = True
    """Whether the name alone is enough; else the value has to look like a key, too."""


def _name(
    word: str, kind: str, head: str = "", tail: str = "", joint: str = _JOINT, *, unmistakable: bool = True
) -> Name:
    return Name(word, kind, re.compile(head + r"$"), re.compile(tail + joint), unmistakable)


_WORD_BEGINS = r"(?<![a-z0-9가-힣])"
_NAMES = (
    _name("passw", "password", tail=r"(?:or)?d"),
    _name("passphrase", "password"),
    _name("pwd", "password"),
    _name("pw", "password", _WORD_BEGINS),
    _name("pass", "password", _WORD_BEGINS),
    _name(
        "key",
        "api_key",
        r"(?:api|access|secret|app|auth|service|account|signing|encryption|client|consumer|master)[ _-]?",
        r"(?:[ _-]id)?",
    ),
    _name("key", "api_key", rf"{_UNLESS_HARMLESS}[_-]", r"", unmistakable=False),
    _name("key", "api_key", r"[?&\"']", unmistakable=False),
    _name("secret", "secret", tail=r"(?:[ _-]?key)?"),
    _name("token", "token", r"(?:(?:access|auth|api|refresh|session|bot)[ _-]?|(?<![a-z_-]))"),
    *(_name(word, "password", joint=_KOREAN_BARE) for word in ("비밀번호", "비번", "패스워드")),
    _name("암호", "password", joint=_KOREAN),
    *(
        _name(word, "api_key", tail=r"(?:키)?", joint=_KOREAN)
        for word in ("인증키", "앱키", "앱 키", "서비스키", "api키")
    ),
    *(_name(word, "secret", tail=r"(?:\s?키)?", joint=_KOREAN) for word in ("시크릿",)),
    _name("토큰", "token", joint=_KOREAN),
)
_QUOTED = r"[\"']?((?![-\"'])[^\s\"'\x01]{6,200})"
# Notations of programs: the words that are in them, and the kind of what they hold.
_NOTATIONS: tuple[tuple[tuple[str, ...], str, re.Pattern[str]], ...] = (
    (("bearer",), "token", re.compile(r"\bbearer\s{1,3}([a-z0-9._~+/=-]{16,}+)")),
    (("basic",), "token", re.compile(r"\bauthorization[\"']?\s{0,2}[:=]\s{0,2}[\"']?basic\s{1,3}([a-z0-9+/=-]{16,}+)")),
    # `curl -u user:password`
    (("curl",), "password", re.compile(r"\s(?:-u|--user)\s{0,3}=?[\"']?[^\s:\"']{1,80}:([^\s\"'\x01]{4,200})")),
    *(((option,), "password", re.compile(rf"{option}[ =]{_QUOTED}")) for option in ("--password", "--passwd")),
    *(
        ((option,), "api_key", re.compile(rf"{option}[ =]{_QUOTED}"))
        for option in (
            "--api-key",
            "--apikey",
            "--access-key",
            "--secret-key",
            "--client-secret",
            "--secret",
            "--token",
        )
    ),
    (("sshpass",), "password", re.compile(rf"\bsshpass\s{{1,3}}-p\s{{0,2}}{_QUOTED}")),
    (("cv",), "cvv", re.compile(r"\b(?:cvv2?|cvc2?|card security code)\s?[:=]\s?[\"']?([0-9]{3,4})(?![0-9.,])")),
    # A file of logins: `machine x login y password z`.
    (("login", "machine"), "password", re.compile(r"\blogin\s{1,8}\S{1,80}\s{1,40}password\s{1,8}([^\s\x01]{1,200})")),
)
_UNREAL = re.compile(r"[$%{<(\[*.]|your|os\.|process\.|env\.|none|null|str\b|0x[0-9a-f]{40}\b")
_LIKE_A_KEY = re.compile(r"(?=[a-z]*[0-9]+[a-z]+[0-9])[a-z0-9]{24,}={0,2}")
# More than there can be between such a word and the end of its value; as far as its name goes back.
_REACH, _HEAD = 450, 16
_LEAST = {"password": 6, "api_key": 12, "secret": 12, "token": 16}


def find_assigned(reading: Reading) -> Iterator[Found]:
    """The value that is given to a secret, in any notation."""
    for name in _NAMES:
        if reading.has(name.word):
            yield from _assigned(reading, name)
    for words, kind, pattern in _NOTATIONS:
        if all(map(reading.has, words)):
            for found in pattern.finditer(reading.low):
                if not _UNREAL.match(found.group(1)) and (kind in {"password", "cvv"} or _has_both(found.group(1))):
                    yield Found(*found.span(1), kind)


def _assigned(reading: Reading, name: Name) -> Iterator[Found]:
    low, shape, is_ascii, position = reading.low, reading.shape, reading.view.isascii(), 0
    while (start := low.find(name.word, position)) >= 0:
        position = start + len(name.word)
        digit = shape.find(b"0", position) if is_ascii else position
        if digit < 0:
            return  # the value has a digit, or it is no secret
        if digit > position + _REACH:
            position = digit - _REACH
        elif (value_of := name.tail.match(low, position)) and name.head.search(low[max(0, start - _HEAD) : start]):
            value = value_of.group("value").rstrip(".)]}|*")
            if _is_real(name, value):
                position = value_of.start("value") + len(value)
                yield Found(value_of.start("value"), position, name.kind)


def _is_real(name: Name, value: str) -> bool:
    if len(value) < _LEAST[name.kind] or _stands_for_a_value(value):
        return False
    is_plausible = name.unmistakable or _LIKE_A_KEY.fullmatch(value) is not None
    return is_plausible and _has_both(value) and not (name.kind == "password" and is_path(value))


def _stands_for_a_value(value: str) -> bool:
    return _UNREAL.match(value) is not None or "(" in value or is_reference(value)


def _has_both(value: str) -> bool:
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value)) and BARRIER not in value
