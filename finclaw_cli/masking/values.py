"""What to mask of a value whose name marks it as private."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from finclaw_cli.masking.checksums import itin, ssn
from finclaw_cli.masking.names import WHOLE
from finclaw_cli.masking.reading import BARRIER

_EDGE = r"(?<![0-9A-Za-z_.,])(?<![0-9A-Za-z]-)"
# What follows a comma in an amount is short, and no group of digits goes on there.
_END = r"(?![0-9A-Za-z_%]|\.[0-9]|,[0-9]{1,5}(?![ -]?[0-9]))"


class _Shape(NamedTuple):
    """How the numbers of a kind are written: after other text, and right after another one of them."""

    first: re.Pattern[str]
    next: re.Pattern[str]

    @classmethod
    def of(cls, pattern: str) -> _Shape:
        return cls(re.compile(rf"{_EDGE}({pattern}){_END}"), re.compile(rf"[-,]({pattern}){_END}"))

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        found = self.first.search(text)
        while found:
            yield found.span(1)
            found = self.next.match(text, found.end()) or self.first.search(text, found.end())


_SHAPES = {
    kind: _Shape.of(pattern)
    for kind, pattern in {
        "card": r"[0-9](?:[ .-]?[0-9]){11,18}",
        "ssn": r"[0-9]{3}[ .-]?[0-9]{2}[ .-]?[0-9]{4}",
        "rrn": r"[0-9]{6}(?: ?- ?| )?[0-9]{7}",
        "iban": r"[A-Za-z]{2}[0-9]{2}(?:[ -]?[A-Za-z0-9]){11,30}",
        "aba": r"[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]|[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{3}",
        "sort_code": r"[0-9]{2}[ -]?[0-9]{2}[ -]?[0-9]{2}",
        "account": r"(?:[A-Za-z]{1,4}[ -]?)?[0-9](?:[ .-]?[0-9]){5,23}(?:-?[A-Za-z]{1,2})?",
    }.items()
}
# What has digits like an account and is none: a date, an amount, a filing's number.
_NO_ACCOUNT = re.compile(
    r"(?:19|20)[0-9]{2}[-.][01][0-9][-.][0-3][0-9]|[0-9]+\.[0-9]+|[0-9]{1,3}(?:\.[0-9]{3})+|[0-9]{10}-[0-9]{2}-[0-9]{6}"
)
_UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_FEWEST = {"card": 12, "ssn": 7, "rrn": 10, "aba": 8, "account": 8, "sort_code": 5, "cvv": 3, "iban": 15}
_MOST = {"card": 19, "ssn": 9, "rrn": 13, "aba": 9, "account": 20, "sort_code": 6, "cvv": 4}
_EXPLICIT_ACCOUNT = 6
_PLACEHOLDERS = frozenset({"none", "null", "true", "false", "required", "optional", "string", "redacted", "n/a"})
_LEAST_TOKEN = 16
# What stands in a secret's place and is none: where it is kept, or that it has yet to be written.
_REFERENCE = re.compile(
    r"\$\{[^}]*\}.*|\$\([^)]*\)|\$[A-Z_][A-Z0-9_]*|\{\{.*\}\}|\{[a-z_]+\}|<[^<>]*>|%[A-Za-z_]\w*%|"
    r"(?:env|vault|file|ref|secrets?|ssm|op|keyring|keychain|aws-sm|gcp-sm|azure-kv|sops|data)://?.*|"
    r"(?:env|vault|file|ref|secrets?|ssm|keyring|keychain)[:.][A-Za-z_/~.].*|!(?:ref|sub|vault|env)\b.*|arn:aws:.*|"
    r"(?:os\.(?:environ|getenv)|process\.env|import\.meta\.env|ENC?\[).*|[xX*•.#-]+|[*•]{2,}\w{0,4}|"
    r"(?i:\[?redacted.*|change[-_ ]?me!?|replace[-_ ]?me|your[-_ ].*|insert[-_ ].*|enter[-_ ].*|todo|tbd|placeholder|"
    r"nil|undefined|masked|hidden|removed|not[-_ ]?set|unset|missing|example|password|passwd|passphrase|n/?a)|"
    r"[A-Z][A-Z0-9]*_(?:[A-Z0-9]+_)*(?:KEY|TOKEN|SECRET|PASSWORD|PASS|PWD)"
)
_PATH = re.compile(r"(?:~|\.{1,2})?/[\w.@+/-]*|[A-Za-z]:[\\/\x03][^\n]*")


def is_reference(value: str) -> bool:
    """Whether a value names the place of a secret, or stands in for one."""
    return bool(_REFERENCE.fullmatch(value))


def is_path(value: str) -> bool:
    """Whether a value is a path: `PWD` is a directory."""
    return bool(_PATH.fullmatch(value))


def find_in_string(kind: str, value: str, *, explicit: bool) -> tuple[tuple[int, int], ...]:
    """The spans of a string that are private because of its name."""
    if kind in WHOLE:
        span = _whole(kind, value)
        return () if span is None else (span,)
    if kind == "account":
        return _accounts(value, _EXPLICIT_ACCOUNT if explicit else _FEWEST["account"])
    found = _SHAPES[kind].spans(value)
    return tuple(span for span in found if kind != "ssn" or _is_social(value[slice(*span)]))


def _accounts(value: str, fewest: int) -> tuple[tuple[int, int], ...]:
    if value.isdecimal() and fewest <= len(value) <= _MOST["account"]:
        return ((0, len(value)),)
    if _UUID.search(value):
        return ()
    plain = value.strip()
    if _SHAPES["iban"].first.fullmatch(plain):
        start = value.index(plain)
        return ((start, start + len(plain)),)
    return tuple(span for span in _SHAPES["account"].spans(value) if _is_account(value[slice(*span)], fewest))


def _is_account(raw: str, fewest: int) -> bool:
    return sum(map(str.isdigit, raw)) >= fewest and not _NO_ACCOUNT.fullmatch(raw)


def _is_social(raw: str) -> bool:
    """Whether a number can be a social security number, or that of a taxpayer without one."""
    digits = "".join(filter(str.isdigit, raw))
    return ssn(digits) or itin(digits)


def is_private_number(kind: str, digits: str, *, explicit: bool) -> bool:
    """Whether a bare whole number is private because of its name. Leading zeros may have been lost."""
    if kind in WHOLE and kind != "cvv":
        return kind == "password"
    fewest = _EXPLICIT_ACCOUNT if kind == "account" and explicit else _FEWEST[kind]
    return fewest <= len(digits) <= _MOST.get(kind, 0)


def _whole(kind: str, value: str) -> tuple[int, int] | None:
    plain = value.strip()
    if not plain or BARRIER in value or plain.lower() in _PLACEHOLDERS or is_reference(plain):
        return None
    span = value.index(plain), value.index(plain) + len(plain)
    match kind:
        case "password":
            return None if is_path(plain) else span
        case "cvv":
            return span if plain.isdigit() and len(plain) in {3, 4} else None
        case "token":
            return span if _is_token(plain) else None
        case _:
            return None if (any(map(str.isspace, plain)) and "-----" not in plain) or len(plain) < 4 else span  # noqa: PLR2004


def _is_token(value: str) -> bool:
    """Long, one word and mixed: the symbol or the address of a coin is called a token, too."""
    scheme, _, rest = value.rpartition(" ")
    mixed = any(map(str.isdigit, rest)) and any(map(str.isalpha, rest))
    return (
        len(rest) >= _LEAST_TOKEN and mixed and not rest.startswith("0x") and scheme.lower() in {"", "bearer", "basic"}
    )
