"""Patterns of rules: distributions in one form, and none that could match nothing."""

from __future__ import annotations

import itertools
import re
from fnmatch import fnmatchcase, translate

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from finclaw_cli.core.dist_names import dist_name, qualified_name
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.policy.parse import parse_rules
from finclaw_cli.policy.patterns import fault_of, normal_pattern
from finclaw_cli.policy.stages import names_of
from tests.examples import MANY

TOOL = re.compile(r"[a-z][a-z0-9_]{0,63}")
DIST = re.compile(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?")
CHARACTERS = "ab1_-."
PARTS = st.sampled_from([*CHARACTERS, "*", "?", "[a-z]", "[!a]", "[._-]", "[b-a]", "[]", "[!]", "[", "]", "A", "[]a]"])
PATTERNS = st.lists(PARTS, min_size=1, max_size=4).map("".join)
NEVER = ["[z-a]", "foo[]", "foo[!]", "[pay", "pay*[9-0]", "Pay*", "foo-bar", "_x", "9lives", "acme.", ".pay", "acme.9"]


def is_name(name: str) -> bool:
    """Whether a tool can be called so: `tool`, `dist__tool` or `dist.tool`."""
    if TOOL.fullmatch(name):
        return True
    dist, _, tool = name.rpartition(".")
    if DIST.fullmatch(dist) and TOOL.fullmatch(tool):
        return True
    return re.fullmatch(r"[0-9][a-z0-9]*(_[a-z0-9]+)*__[a-z][a-z0-9_]*", name) is not None


NAMES = [
    name
    for length in range(1, 7)
    # A class that leaves out every letter of a pattern still has others.
    for name in map("".join, itertools.product(CHARACTERS + ("c" if length < 5 else ""), repeat=length))
    if is_name(name)
]
SOME_NAMES = st.sampled_from(NAMES)


@settings(max_examples=MANY)
@given(PATTERNS, SOME_NAMES)
def test_a_pattern_that_matches_a_name_is_not_refused(pattern: str, name: str):
    if fnmatchcase(name, pattern):
        assert fault_of(pattern) is None


@settings(max_examples=MANY)
@given(PATTERNS)
@example("[!]b[!a]")
def test_a_pattern_that_is_not_refused_matches_a_name(pattern: str):
    matches = re.compile(translate(pattern)).match
    assert (fault_of(pattern) is None) is any(map(matches, NAMES))


@pytest.mark.parametrize("verdict", ["deny", "require-approval", "allow"])
@pytest.mark.parametrize("pattern", NEVER)
def test_a_rule_that_can_never_match_is_refused_with_the_reason(pattern: str, verdict: str):
    text = f'[[rule]]\nscope = "tool"\npattern = "{pattern}"\nverdict = "{verdict}"\n'
    with pytest.raises(UsageError, match=re.escape(f"rule 1: pattern {pattern!r} can match no tool: ")):
        parse_rules(text, origin="mine.toml", level="user")


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("Acme_Tools.get_quote", "acme-tools.get_quote"),
        ("acme.tools.get_quote", "acme-tools.get_quote"),
        ("ACME--tools.*", "acme-tools.*"),
        ("Acme[A-Z]_*.get_quote", "acme[a-z]-*.get_quote"),
        ("data:Acme_Tools.*", "data:acme-tools.*"),
        ("get_quote", "get_quote"),
        ("*", "*"),
    ],
)
def test_a_distribution_in_a_pattern_may_be_written_in_any_way(written: str, normal: str):
    text = f'[[rule]]\nscope = "tool"\npattern = "{written}"\nverdict = "deny"\n'
    assert [rule.pattern for rule in parse_rules(text, origin="mine.toml", level="user")] == [normal]


@given(st.from_regex(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,20}[A-Za-z0-9])?", fullmatch=True))
def test_a_rule_with_a_distributions_name_speaks_of_its_tools(dist: str):
    spec = ToolSpec(name="get", description="", input_schema={}, source=f"plugin:{dist}")
    for pattern in (f"{dist}.get", f"{dist_name(dist)}.*", f"{dist.swapcase()}.get"):
        assert fault_of(normal_pattern(pattern)) is None
        assert any(fnmatchcase(name, normal_pattern(pattern)) for name in names_of(spec, "get").sure)


@given(PATTERNS)
def test_a_normal_pattern_stays_as_it_is(pattern: str):
    assert normal_pattern(normal_pattern(pattern)) == normal_pattern(pattern)


def test_a_name_that_is_too_long_for_a_model_ends_with_a_digest():
    name = qualified_name("Acme.Tools", "x" * 64)
    assert (len(name), name[:12]) == (64, "acme_tools__")


def test_an_allow_rule_for_one_distribution_does_not_cover_one_that_begins_like_it():
    spec = ToolSpec(name="get", description="", input_schema={}, source="plugin:acme.evil")
    assert not any(fnmatchcase(name, "acme.*") for name in names_of(spec, "get").sure)
