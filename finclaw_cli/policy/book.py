"""Finds the rules that speak of a call, without trying all that there are."""

from __future__ import annotations

import re
from collections.abc import Iterable

from finclaw_cli.policy.rules import Named, PolicyRule, Scope, strength

_UNTIL_A_WILDCARD = re.compile(r"[^*?\[\]]*+")
# Where a part of a name begins and ends, as a slice.
Part = tuple[int | None, int | None]
_WHOLE: Part = (None, None)
_NOTHING: Part = (0, 0)
_For = tuple[Scope, str | None]


class Rulebook:
    """Rules by the letters that a name must have: a whole name, or what stands before or after a glob's wildcards.

    Only a glob that both begins and ends with a wildcard has to be tried on every name.
    """

    def __init__(self, rules: Iterable[PolicyRule]) -> None:
        self._rules = sorted(rules, key=strength, reverse=True)
        self._places: dict[Part, dict[str, dict[_For, list[int]]]] = {}
        for place, rule in enumerate(self._rules):
            part, letters = _sure_letters(rule.pattern.rpartition(":")[2])
            of_letters = self._places.setdefault(part, {}).setdefault(letters, {})
            of_letters.setdefault((rule.scope, rule.subject), []).append(place)

    def speaking(self, names: Named, user: str, channel: str) -> dict[Scope, list[PolicyRule]]:
        """The rules that speak of a tool, for this user and channel: by their scope, the strongest first."""
        found: dict[Scope, list[PolicyRule]] = {}
        for place in sorted(self._candidates(names, user, channel)):
            rule = self._rules[place]
            if _speaks(rule, names):
                found.setdefault(rule.scope, []).append(rule)
        return found

    def _candidates(self, names: Named, user: str, channel: str) -> set[int]:
        """The places of rules that may speak of it."""
        subjects: set[_For] = {
            ("global", None),
            ("user", None),
            ("user", user),
            ("channel", None),
            ("channel", channel),
            ("group", None),
            ("group", names.group),
            ("group", names.claimed_group),
            ("tool", None),
        }
        found: set[int] = set()
        for (start, end), by_letters in self._places.items():
            for name in names.own:
                if by_subject := by_letters.get(name[start:end]):
                    for subject in by_subject.keys() & subjects:
                        found.update(by_subject[subject])
        return found


def _literal_start(glob: str) -> str:
    found = _UNTIL_A_WILDCARD.match(glob)
    return found[0] if found else ""


def _sure_letters(glob: str) -> tuple[Part, str]:
    """Which part of a name is certain where it matches, and what it is."""
    beginning, ending = _literal_start(glob), _literal_start(glob[::-1])[::-1]
    if beginning == glob:
        return _WHOLE, glob
    if beginning:
        return (None, len(beginning)), beginning
    return ((-len(ending), None), ending) if ending else (_NOTHING, "")


def _speaks(rule: PolicyRule, names: Named) -> bool:
    """A tool is in the group it is given, and for what forbids also in the one it claims."""
    if rule.scope == "group" and rule.subject is not None:
        return names.in_group(rule.subject, allows=rule.verdict == "allow") and names.matched_by(rule)
    return names.matched_by(rule)
