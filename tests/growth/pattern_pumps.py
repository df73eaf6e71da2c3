"""Texts that make a regular expression backtrack, derived from its own parts, and whether its time grows faster than they do."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

Node = tuple[Any, Any]
ENDLESS = 1_000
"""A repetition that may go on at least so often is taken for one without a bound."""
CANDIDATES = 'a1 \n.-A,_/"<'
"""Characters tried for a set, the most usual ones first."""
SUFFIXES = ("", "\x00", "\n!")
LENGTH = 4_000
SHORT = 24
LEAST_S = 0.008
"""A pattern that takes less for the whole length is fast enough, however it grows."""
GROWTH = 2.8
"""Twice the text may take this many times the time; linear is 2, quadratic 4."""
_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)


@dataclass(frozen=True)
class Slow:
    """A text for which a pattern takes time that grows faster than the text."""

    method: str
    head: str
    pump: str
    tail: str


def sample(nodes: Iterable[Node]) -> str:
    """A text that the nodes match, as short as possible."""
    return "".join(_sample_of(kind, value) for kind, value in nodes)


def _sample_of(kind: Any, value: Any) -> str:
    if kind is op.LITERAL:
        return chr(value)
    if kind is op.NOT_LITERAL:
        return "a" if value != ord("a") else "b"
    if kind is op.IN:
        return characters(value)[0]
    if kind in _REPEATS:
        return sample(value[2]) * value[0]
    if kind is op.SUBPATTERN:
        return sample(value[3])
    if kind is op.ATOMIC_GROUP:
        return sample(value)
    if kind is op.BRANCH:
        return sample(value[1][0])
    return "a" if kind is op.ANY else ""


def characters(items: Sequence[Node]) -> list[str]:
    """Some characters of a set; its own literals, where none of the usual ones is in it."""
    is_negated = items[0][0] is op.NEGATE
    own = [item for item in items if item[0] is not op.NEGATE]
    found = [char for char in CANDIDATES if any(_holds(item, char) for item in own) != is_negated]
    return found or [chr(value if kind is op.LITERAL else value[0]) for kind, value in own if kind is not op.CATEGORY]


_CATEGORIES = {
    op.CATEGORY_DIGIT: r"\d", op.CATEGORY_NOT_DIGIT: r"\D", op.CATEGORY_SPACE: r"\s", op.CATEGORY_NOT_SPACE: r"\S",
    op.CATEGORY_WORD: r"\w", op.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip


def _holds(item: Node, char: str) -> bool:
    kind, value = item
    if kind is op.LITERAL:
        return bool(value == ord(char))
    if kind is op.RANGE:
        return bool(value[0] <= ord(char) <= value[1])
    return re.match(_CATEGORIES[value], char) is not None


def pumps(nodes: Iterable[Node], head: str = "") -> Iterator[tuple[str, str]]:
    """For each endless repetition: a text that leads to it, and one that it takes once."""
    for kind, value in nodes:
        if kind in _REPEATS:
            if value[1] >= ENDLESS:
                yield from ((head, once) for once in _onces(value[2]))
            yield from pumps(value[2], head)
        elif kind is op.SUBPATTERN:
            yield from pumps(value[3], head)
        elif kind is op.ATOMIC_GROUP:
            yield from pumps(value, head)
        elif kind is op.BRANCH:
            for branch in value[1]:
                yield from pumps(branch, head)
        elif kind in (op.ASSERT, op.ASSERT_NOT):
            yield from pumps(value[1], head)
        head += _sample_of(kind, value)


def _onces(nodes: Iterable[Node]) -> set[str]:
    """Texts for one round of a repetition."""
    found = {sample(nodes)}
    for kind, value in nodes:
        if kind is op.IN:
            found |= set(characters(value))
        elif kind is op.BRANCH:
            found |= {sample(branch) for branch in value[1]}
        elif kind is op.SUBPATTERN:
            found |= _onces(value[3])
        elif kind is op.ANY:
            found |= set("a 1.")
    return {text for text in found if text}


def slow_texts(pattern: re.Pattern[Any], methods: Iterable[str]) -> Iterator[Slow]:
    """Texts for which one of these methods of the pattern takes time that grows faster than the text."""
    heads_and_pumps = sorted(set(pumps(_parser.parse(pattern.pattern, pattern.flags))))
    for method in methods:
        for head, pump in heads_and_pumps:
            for lead, tail in ((lead, tail) for lead in {head, ""} for tail in SUFFIXES):
                if _is_slow(_call(pattern, method), lambda n: lead + pump * (n // len(pump)) + tail):  # noqa: B023
                    yield Slow(method, lead, pump, tail)


def _is_slow(call: Callable[[str], object], text: Callable[[int], str]) -> bool:
    """Whether the time grows each time that it is measured: a busy machine makes it grow once."""
    return all(_grows(call, text) for _ in range(4))


def _grows(call: Callable[[str], object], text: Callable[[int], str]) -> bool:
    if _cpu_s(call, text(SHORT)) > LEAST_S:
        return True  # so short a text takes so long only where each character doubles the time
    for length in (LENGTH // 8, LENGTH // 4, LENGTH // 2):
        if (least := _cpu_s(call, text(length))) > LEAST_S:
            return _cpu_s(call, text(2 * length)) > GROWTH * least
    return _cpu_s(call, text(LENGTH)) > max(LEAST_S, GROWTH * _cpu_s(call, text(LENGTH // 2)))


def _call(pattern: re.Pattern[Any], method: str) -> Callable[[str], object]:
    def call(text: str) -> object:
        subject: Any = text.encode("latin-1", "replace") if isinstance(pattern.pattern, bytes) else text
        if method in {"sub", "subn"}:
            return pattern.sub(subject[:0], subject)
        found = getattr(pattern, method)(subject)
        return sum(1 for _ in found) if method == "finditer" else found

    return call


def _cpu_s(call: Callable[[str], object], text: str) -> float:
    """The least CPU time of some rounds; one round, where that is short."""
    times = []
    for _ in range(3):
        began = time.process_time()
        call(text)
        times.append(time.process_time() - began)
        if times[0] < LEAST_S:
            break
    return min(times)


def repeats_group(pattern: re.Pattern[str] | re.Pattern[bytes]) -> bool:
    """Whether anything but a single character or set is repeated possessively."""
    return any(
        kind is op.POSSESSIVE_REPEAT and (len(value[2]) != 1 or value[2][0][0] not in _SINGLE)
        for kind, value in _nodes(_parser.parse(pattern.pattern, pattern.flags))
    )


_SINGLE = {op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY, op.CATEGORY}


def _nodes(parsed: Any) -> Iterator[Node]:
    for node in parsed:
        yield node
        for part in node[1] if isinstance(node[1], tuple) else ():
            if isinstance(part, _parser.SubPattern):
                yield from _nodes(part)
            elif isinstance(part, list):
                yield from (
                    inner for branch in part if isinstance(branch, _parser.SubPattern) for inner in _nodes(branch)
                )
        if isinstance(node[1], _parser.SubPattern):
            yield from _nodes(node[1])
