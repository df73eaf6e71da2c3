"""Patterns of rules: how they are written, and whether any tool can have a name that matches.

A tool is called `tool`, `dist.tool` or `dist__tool`. A pattern is a glob over these names, as `fnmatch` reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import translate
from functools import lru_cache
from itertools import groupby

from finclaw_cli.core.dist_names import MAX_TOOL_NAME, dist_name

MAX_CHARS = 200
_LETTERS, _DIGITS = frozenset("abcdefghijklmnopqrstuvwxyz"), frozenset("0123456789")
_ALPHANUMERIC = _LETTERS | _DIGITS
_ALL = _ALPHANUMERIC | frozenset("._-")
# What most patterns are: nothing has to be worked out for them.
_PLAIN = re.compile(rf"[a-z*][a-z0-9_*]{{0,{MAX_TOOL_NAME - 1}}}")
# The names that tools have, as states that read them: `tool` and `dist__tool` (which may begin with a digit), and
# `dist.tool`. Each state leads to others by the characters that may come next.
_NAMES: dict[str, tuple[tuple[frozenset[str], str], ...]] = {
    "start": ((_LETTERS, "name"), (_DIGITS, "digits"), (_ALPHANUMERIC, "dist")),
    "name": ((_ALPHANUMERIC | {"_"}, "name"),),
    "digits": ((_ALPHANUMERIC, "digits"), (frozenset("_"), "one_line")),
    "one_line": ((_ALPHANUMERIC, "digits"), (frozenset("_"), "two_lines")),
    "two_lines": ((_LETTERS, "name"),),
    "dist": ((_ALPHANUMERIC, "dist"), (frozenset("._-"), "separator"), (frozenset("."), "dot")),
    "separator": ((_ALPHANUMERIC, "dist"), (frozenset("._-"), "separator")),
    "dot": ((_LETTERS, "tool"),),
    "tool": ((_ALPHANUMERIC | {"_"}, "tool"),),
}
_WHOLE = frozenset({"name", "tool"})


def normal_pattern(pattern: str) -> str:
    """The pattern with the distribution in it, which is what stands before its last dot, in normalised form."""
    group, colon, glob = pattern.rpartition(":")
    parts = list(_parts(glob))
    last_dot = max((place for place, part in enumerate(parts) if part == "."), default=0)
    dist = "".join(_normalised(parts[:last_dot]))
    return f"{group}{colon}{dist}{''.join(parts[last_dot:])}"


def _normalised(parts: Sequence[str]) -> Iterator[str]:
    """The letters between wildcards as a distribution's name has them; classes in lower case."""
    for is_letters, run in groupby(parts, lambda part: len(part) == 1 and part not in {"*", "?"}):
        text = "".join(run)
        yield dist_name(text) if is_letters else text.lower()


@lru_cache(maxsize=1_024)
def fault_of(pattern: str) -> str | None:
    """Why no tool can have a name that matches; None where one can."""
    glob = pattern.rpartition(":")[2]
    if not glob or len(pattern) > MAX_CHARS:
        return "it is empty" if not glob else f"it is longer than {MAX_CHARS} characters"
    if _PLAIN.fullmatch(glob):
        return None
    for part in _parts(glob):
        if part != "*" and not _meant(part):
            return _explained(part)
    return None if _can_match(tuple(_parts(glob))) else "tools are called tool, dist.tool or dist__tool"


def _explained(part: str) -> str:
    if part == "[":
        return "a bracket is open"
    what = f"the class {part}" if part.startswith("[") else repr(part)
    return f"{what} stands for no character of a tool's name: those are a-z, 0-9 and _, and - or . in a distribution's"


def _parts(glob: str) -> Iterator[str]:
    """The characters and classes of a glob, divided as `fnmatch` does; an open bracket stands for itself."""
    place = 0
    while place < len(glob):
        end = _class_end(glob, place) if glob[place] == "[" else None
        yield glob[place : end or place + 1]
        place = end or place + 1


def _class_end(glob: str, start: int) -> int | None:
    first = start + (2 if glob[start + 1 : start + 2] == "!" else 1)
    end = glob.find("]", first + 1 if glob[first : first + 1] == "]" else first)
    return end + 1 if end >= 0 else None


@lru_cache(maxsize=1_024)
def _meant(part: str) -> frozenset[str]:
    """The characters of names that a part of a glob stands for."""
    if part in {"?", "*"}:
        return _ALL
    if not part.startswith("["):
        return _ALL & {part}
    matches = re.compile(translate(part)).match
    return frozenset(character for character in _ALL if part != "[" and matches(character))


def _can_match(parts: tuple[str, ...]) -> bool:
    """Whether the states that read names can be led through all parts; `*` is passed, or stays for one more."""
    fewest = sum(part != "*" for part in parts)
    whole = _WHOLE if fewest <= MAX_TOOL_NAME else _WHOLE - {"name"}
    seen: set[tuple[int, str]] = set()
    waiting = [(0, "start")]
    while waiting:
        place, state = here = waiting.pop()
        if here in seen:
            continue
        seen.add(here)
        if place == len(parts):
            if state in whole:
                return True
            continue
        if is_star := parts[place] == "*":
            waiting.append((place + 1, state))
        after = place if is_star else place + 1
        waiting.extend((after, to) for characters, to in _NAMES[state] if characters & _meant(parts[place]))
    return False
