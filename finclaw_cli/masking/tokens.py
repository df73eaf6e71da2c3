"""Keys and tokens that are known by how they begin; private keys in PEM."""

from __future__ import annotations

import re
from collections.abc import Iterator

from finclaw_cli.masking.reading import MARK, Found, Reading

_REST = r"[A-Za-z0-9_-]"


def _longest_word(prefix: str) -> str:
    return max(re.split("[^a-z]+", prefix.lower()), key=len)


# How a key begins, its longest word and itself as the vocabulary has them, its kind, and what follows.
_PREFIXES: tuple[tuple[str, str, bytes, str, re.Pattern[str]], ...] = tuple(
    (prefix, _longest_word(prefix), re.sub(rb"[0-9]", b"0", prefix.encode()), kind, re.compile(rest))
    for prefix, kind, rest in (
        ("sk-", "api_key", rf"(?:ant-|proj-|svcacct-|admin-|or-){_REST}{{12,}}+|[A-Za-z0-9]{{20,}}+(?![A-Za-z0-9-])"),
        ("sk_live_", "api_key", r"[A-Za-z0-9]{16,}+"),
        ("sk_test_", "api_key", r"[A-Za-z0-9]{16,}+"),
        ("rk_live_", "api_key", r"[A-Za-z0-9]{16,}+"),
        ("rk_test_", "api_key", r"[A-Za-z0-9]{16,}+"),
        ("whsec_", "api_key", r"[A-Za-z0-9+/=]{16,}+"),
        ("AKIA", "api_key", r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
        ("ASIA", "api_key", r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
        ("AIza", "api_key", rf"{_REST}{{35}}(?!{_REST})"),
        ("xai-", "api_key", r"[A-Za-z0-9]{20,}+"),
        ("gsk_", "api_key", r"[A-Za-z0-9]{20,}+"),
        ("pplx-", "api_key", r"[A-Za-z0-9]{20,}+"),
        ("r8_", "api_key", r"[A-Za-z0-9]{30,}+"),
        ("SG.", "api_key", rf"{_REST}{{16,}}+\.{_REST}{{16,}}+"),
        ("ghp_", "token", r"[A-Za-z0-9]{20,}+"),
        ("gho_", "token", r"[A-Za-z0-9]{20,}+"),
        ("ghu_", "token", r"[A-Za-z0-9]{20,}+"),
        ("ghs_", "token", r"[A-Za-z0-9]{20,}+"),
        ("ghr_", "token", r"[A-Za-z0-9]{20,}+"),
        ("github_pat_", "token", r"[A-Za-z0-9_]{20,}+"),
        ("glpat-", "token", rf"{_REST}{{20,}}+"),
        ("xox", "token", r"[abeoprs](?:\.[a-z]{2})?-[A-Za-z0-9-]{10,}+"),
        ("xapp-", "token", r"[A-Za-z0-9-]{10,}+"),
        ("hf_", "token", r"[A-Za-z0-9]{30,}+"),
        ("npm_", "token", r"[A-Za-z0-9]{36}(?![A-Za-z0-9])"),
        ("pypi-", "token", rf"AgE{_REST}{{16,}}+"),
        ("ya29.", "token", rf"{_REST}{{20,}}+"),
        ("shpat_", "token", r"[A-Fa-f0-9]{32}"),
        ("dop_v1_", "token", r"[a-f0-9]{64}"),
        ("eyJ", "token", rf"{_REST}{{8,}}+\.{_REST}{{8,}}+\.{_REST}{{8,}}+"),
    )
)
_RUN = re.compile(r"[A-Za-z0-9_.-]+")

_BEGIN, _END = "-----BEGIN ", "-----END "
_HEADER = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_FOOTER = re.compile(r"-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_PART = r"[A-Za-z0-9+/=\s\\:,.()@\x03]*+"
_BODY = re.compile(rf"{_PART}(?:-(?!----){_PART})*")
_LEAST_BODY = 16


def find_tokens(reading: Reading) -> Iterator[Found]:
    """Keys and tokens that are recognised by their first characters."""
    view = reading.view
    for prefix, stem, zeroed, kind, rest in _PREFIXES:
        if not reading.has(stem) or zeroed not in reading.vocabulary:
            continue
        position = 0
        while (start := view.find(prefix, position)) >= 0:
            position = start + len(prefix)
            if start and ((view[start - 1].isascii() and view[start - 1].isalnum()) or view[start - 1] in "-_"):
                run = _RUN.match(view, start)  # in the middle of a word: nothing in it begins here
                position = run.end() if run else position
            elif (match := rest.match(view, position)) and _is_mixed(reading, *match.span()):
                yield Found(start, match.end(), kind)
                position = match.end()


def _is_mixed(reading: Reading, start: int, end: int) -> bool:
    if reading.shape.find(b"0", start, end) >= 0:
        return True
    rest = reading.view[start:end]
    return rest != reading.low[start:end] or rest == rest[:1] * len(rest)


def find_private_keys(reading: Reading) -> Iterator[Found]:
    """Private keys in PEM, also cut off ones: from the header over everything that can be part of the body."""
    view, position = reading.view, 0
    while (start := view.find(_BEGIN, position)) >= 0:
        header = _HEADER.match(view, start)
        position = start + len(_BEGIN)
        if not header or view[header.end() : header.end() + 1] == "-":
            continue
        body = _BODY.match(view, header.end())
        stop = body.end() if body else header.end()
        position = stop
        if stop - header.end() < _LEAST_BODY or sum(map(str.isalnum, view[header.end() : stop])) < _LEAST_BODY:
            continue
        footer = _FOOTER.match(view, stop)
        position = footer.end() if footer else header.end() + len(view[header.end() : stop].rstrip())
        yield Found(start, position, "private_key")


_DASHES = re.compile(r"(?<![A-Za-z0-9_-])--?(?=[A-Za-z])")


def mask_tokens(text: str) -> str:
    """The text without keys and tokens, also where one was typed as an option: `--sk-…`.

    Unlike `mask_private` it leaves every number as it is.
    """
    reading = Reading(_DASHES.sub(lambda dashes: " " * len(dashes.group()), text), is_json=False)
    for found in sorted(find_tokens(reading), reverse=True):
        text = f"{text[: found.start]}{MARK}{found.kind}]{text[found.end :]}"
    return text
