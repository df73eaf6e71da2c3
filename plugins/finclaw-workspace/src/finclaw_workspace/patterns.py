"""Patterns of paths: `*`, `?`, `[…]`, `{a,b}` within a name, and `**` for any number of folders."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable

from finclaw_cli.sdk.files import Parts, Refused

_MAX_LENGTH = 1000
_MAX_ALTERNATIVES = 64
_ANY = "**"


class PathPattern:
    """A pattern, matched name by name: its time is bounded whatever the pattern is.

    Args:
        pattern: as given; a pattern without a slash matches names at the top only.
        anywhere: let a pattern without a slash match names at any depth.
    """

    def __init__(self, pattern: str, *, anywhere: bool = False) -> None:
        if not pattern or len(pattern) > _MAX_LENGTH or "\0" in pattern:
            raise Refused("BAD_INPUT", f"the pattern is empty or longer than {_MAX_LENGTH} characters.")
        if pattern.startswith("/") or ".." in pattern.split("/"):
            raise Refused("OUTSIDE_WORKSPACE", "a pattern is relative to path and has no `..`. Put the folder in path.")
        loose = anywhere and "/" not in pattern
        self._patterns = [_steps(one, loose=loose) for one in _alternatives(pattern)]

    def matches(self, parts: Parts) -> bool:
        """Whether the whole path matches."""
        return any(len(steps) in _after(steps, parts) for steps in self._patterns)

    def may_lead_to(self, parts: Parts) -> bool:
        """Whether something below this folder can match."""
        return any(any(state < len(steps) for state in _after(steps, parts)) for steps in self._patterns)


def _steps(pattern: str, *, loose: bool) -> tuple[str, ...]:
    steps = tuple(step for step in pattern.split("/") if step not in {"", "."})
    return (_ANY, *steps) if loose else steps


def _after(steps: tuple[str, ...], parts: Parts) -> set[int]:
    """How many steps of the pattern may have been taken after these names."""
    states = _skipping(steps, {0})
    for name in parts:
        taken = {state for state in states if state < len(steps) and steps[state] == _ANY}
        if len(steps) - 1 in taken:  # `**` at the end has matched, and may match more
            taken.add(len(steps))
        taken |= {
            state + 1
            for state in states
            if state < len(steps) and steps[state] != _ANY and fnmatch.fnmatchcase(name, steps[state])
        }
        states = _skipping(steps, taken)
    return states


def _skipping(steps: tuple[str, ...], states: Iterable[int]) -> set[int]:
    """With the states that are reached by letting `**` stand for nothing; at the end it stands for something."""
    reached = set(states)
    for state in sorted(reached):
        following = state
        while following < len(steps) - 1 and steps[following] == _ANY:
            following += 1
            reached.add(following)
    return reached


def _alternatives(pattern: str) -> list[str]:
    """Every pattern that the braces stand for."""
    waiting, done = [pattern], list[str]()
    while waiting:
        one = waiting.pop(0)
        close = one.find("}")
        start = one.rfind("{", 0, close)
        if close < 0 or start < 0:
            done.append(one)
        else:
            waiting += [one[:start] + choice + one[close + 1 :] for choice in one[start + 1 : close].split(",")]
        if len(waiting) + len(done) > _MAX_ALTERNATIVES:
            raise Refused("BAD_INPUT", f"the braces stand for more than {_MAX_ALTERNATIVES} patterns. Use fewer.")
    return done
